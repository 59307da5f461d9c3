package import Presentation
internal import System
internal import Text
internal import VaultLifecycle

/// What `setup ssh` put where, so that undoing it takes out that and nothing else.
package struct SetupRecord: Equatable {
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
        try file(path).read(SetupRecord.init)
    }

    /// Writes the record.
    func write(_ path: String) throws(Failure) { try Self.file(path).write(json) }

    private static func file(_ path: String) -> RecordFile {
        RecordFile(path: path, hint: "move the file away and remove the line from ~/.ssh/config yourself")
    }
}

extension SetupRecord {
    private var json: JSONValue {
        var json: JSONValue = ["vault": .text(vault), "config": .text(config)]
        json["line"] = line.map { .text($0) }
        json["madeFolder"] = .bool(madeFolder)
        json["madeConfig"] = .bool(madeConfig)
        json["madeFragment"] = .bool(madeFragment)
        json["agentSocket"] = agentSocket.map { .text($0) }
        return json
    }

    /// Nil for anything else.
    private init?(_ json: JSONValue) {
        guard let vault = json["vault"]?.text, let config = json["config"]?.text,
            case .bool(let madeFolder)? = json["madeFolder"],
            case .bool(let madeConfig)? = json["madeConfig"],
            case .bool(let madeFragment)? = json["madeFragment"]
        else { return nil }
        self.init(
            vault: vault,
            config: config,
            line: json["line"]?.text,
            madeFolder: madeFolder,
            madeConfig: madeConfig,
            madeFragment: madeFragment,
            agentSocket: json["agentSocket"]?.text
        )
    }
}

/// A small file beside the anchors in which a `setup` command remembers what it did, for its undoing.
struct RecordFile {
    let path: String
    /// What a person does about a file that is not what was written.
    let hint: String

    /// What is remembered; nil where there is no file.
    ///
    /// - Parameter parse: nil for anything that was not written by this program.
    /// - Returns: what `parse` makes of the file.
    /// - Throws: `malformedInput` for a file that is not what was written.
    func read<Record>(_ parse: (JSONValue) -> Record?) throws(Failure) -> Record? {
        let bytes: [UInt8]
        do {
            bytes = try OwnFile.readKept(path)
        } catch .noSuchFile {
            return nil
        } catch .unsafeFile {
            throw refusal
        } catch {
            throw Failure(error)
        }
        guard let json = try? JSONValue(bytes), let record = parse(json) else {
            throw refusal
        }
        return record
    }

    private var refusal: Failure { Failure(.malformedInput, "\(path) is not hsip's file", hint: hint) }

    /// Puts it in the place of what is there, whole.
    func write(_ json: JSONValue) throws(Failure) {
        guard let text = try? json.bytes(.pages) else { return }
        do {
            try OwnFile.writeKept(text, to: path)
        } catch {
            throw Failure(error)
        }
    }
}
