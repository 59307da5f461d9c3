package import Console
internal import FoundationEssentials
internal import Programs

/// What `setup ssh` put where, so that undoing it takes out that and nothing else.
package struct SetupRecord: Codable, Equatable {
    /// The vault, as `config.json` calls it.
    package var vault: String
    /// The user's settings that got the line.
    var config: String
    /// The line, without its line feed; nil where it was there before.
    var line: String?
    /// The folder of these settings was made for it.
    var madeFolder: Bool
    /// The settings themselves were made for it.
    var madeConfig: Bool
    /// The file that the line names was made.
    var madeFragment: Bool
    /// The agent that ssh was told to ask for keys; nil where it was told nothing.
    package var agentSocket: String?

    /// The record; nil where nothing is set up.
    ///
    /// - Throws: `malformedInput` for a file that is not what was written.
    package static func read(_ path: String) throws(Failure) -> SetupRecord? {
        let bytes: [UInt8]
        do {
            bytes = try OwnFile.read(path)
        } catch .noSuchFile {
            return nil
        } catch {
            throw Failures.explain(error)
        }
        guard let record = try? JSONDecoder().decode(SetupRecord.self, from: Data(bytes)) else {
            throw Failure(
                .malformedInput,
                "\(path) is not what hsip wrote",
                hint: "move it away, and take the line out of ~/.ssh/config yourself"
            )
        }
        return record
    }

    /// Writes the record.
    func write(_ path: String) throws(Failure) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let text = try? encoder.encode(self) else { return }
        do {
            try OwnFile.write(Array(text) + [0x0A], to: path, force: true)
        } catch {
            throw Failures.explain(error)
        }
    }
}
