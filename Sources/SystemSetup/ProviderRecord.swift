package import Console
internal import Glibc
internal import JSON
internal import Programs
internal import VaultLifecycle

/// What `setup keyring` remembers for its undoing, in a file beside the anchors: `keyring-setup.json`.
package struct ProviderRecord: Equatable {
    /// The vault, as `config.json` calls it.
    package var vault: String
    /// Folders that were made for the files.
    package var folders: Set<String>
    /// The service was tried, and answered.
    package var isTried: Bool

    package init(vault: String, folders: Set<String>, isTried: Bool = false) {
        (self.vault, self.folders, self.isTried) = (vault, folders, isTried)
    }

    /// The record in a file; nil where nothing is set up.
    ///
    /// - Throws: `malformedInput` for a file that is not what was written.
    package static func read(_ path: String) throws(Failure) -> ProviderRecord? {
        let bytes: [UInt8]
        do {
            bytes = try OwnFile.read(path)
        } catch .noSuchFile {
            return nil
        } catch {
            throw Failures.explain(error)
        }
        guard let json = try? JSONValue(bytes), let record = ProviderRecord(json) else {
            throw Failure(
                .malformedInput,
                "\(path) is not what hsip wrote",
                hint: "move it away, and then: hsip setup keyring --undo"
            )
        }
        return record
    }

    func write(_ path: String) throws(Failure) {
        let folders = folders.sorted().map { JSONValue.text($0) }
        let json: JSONValue = [
            "vault": .text(vault), "folders": .list(folders), "tried": .bool(isTried),
        ]
        guard let text = try? json.bytes(.pages) else { return }
        do {
            try OwnFile.write(text, to: path, force: true)
        } catch {
            throw Failures.explain(error)
        }
    }

    /// Removes the folders that are empty now, the innermost first.
    func removeFolders() {
        for folder in folders.sorted(by: { $0.utf8.count > $1.utf8.count }) { unsafe rmdir(folder) }
    }

    /// Nil for anything else.
    private init?(_ json: JSONValue) {
        guard let vault = json["vault"]?.text, case .list(let list)? = json["folders"],
            case .bool(let isTried)? = json["tried"]
        else { return nil }
        let folders = list.compactMap(\.text)
        guard folders.count == list.count, folders.allSatisfy({ $0.hasPrefix("/") }) else { return nil }
        self.init(vault: vault, folders: Set(folders), isTried: isTried)
    }
}
