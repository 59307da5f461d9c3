internal import Glibc
package import Presentation
internal import Text

/// What `setup keyring` remembers for its undoing, in a file beside the anchors: `keyring-setup.json`.
package struct ProviderRecord: Equatable {
    /// Texts of one file that are remembered: of the last runs.
    private static let texts = 4

    /// The vault, as `config.json` calls it.
    package var vault: String
    /// Folders that were made for the files.
    package var folders: Set<String>
    /// What was written, by the paths of the files: only a file that is still one of these texts is removed.
    private(set) var files: [String: [String]]
    /// The service was tried, and answered.
    package var isTried: Bool

    package init(vault: String, folders: Set<String>, isTried: Bool = false) {
        (self.vault, self.folders, self.isTried) = (vault, folders, isTried)
        files = [:]
    }

    /// Remembers what is about to be written to a file.
    ///
    /// What was there may stay there, as a run can be killed before.
    mutating func add(_ text: String, to path: String) {
        var texts = files[path, default: []].filter { $0 != text }
        texts.append(text)
        files[path] = texts.suffix(Self.texts)
    }

    /// The record in a file; nil where nothing is set up.
    ///
    /// - Throws: `malformedInput` for a file that is not what was written.
    package static func read(_ path: String) throws(Failure) -> ProviderRecord? {
        try file(path).read(ProviderRecord.init)
    }

    func write(_ path: String) throws(Failure) {
        var texts: JSONValue = [:]
        for (path, all) in files.sorted(by: { $0.key < $1.key }) {
            texts[path] = .list(all.map { .text($0) })
        }
        let folders = folders.sorted().map { JSONValue.text($0) }
        try Self.file(path).write([
            "vault": .text(vault), "folders": .list(folders), "files": texts, "tried": .bool(isTried),
        ])
    }

    private static func file(_ path: String) -> RecordFile {
        RecordFile(path: path, hint: "move the file away, then run: hsip setup keyring --undo")
    }

    /// Removes the folders that are empty now, the innermost first.
    func removeFolders() {
        for folder in folders.sorted(by: { $0.utf8.count > $1.utf8.count }) { unsafe rmdir(folder) }
    }

    /// Nil for anything else.
    private init?(_ json: JSONValue) {
        guard let vault = json["vault"]?.text, let folders = Self.paths(json["folders"]),
            case .bool(let isTried)? = json["tried"]
        else { return nil }
        self.init(vault: vault, folders: Set(folders), isTried: isTried)
        // Earlier versions did not write the texts down.
        for member in json["files"]?.members ?? [] {
            guard member.name.hasPrefix("/"), case .list(let list) = member.value else { return nil }
            let texts = list.compactMap(\.text)
            guard texts.count == list.count else { return nil }
            files[member.name] = texts
        }
    }

    private static func paths(_ json: JSONValue?) -> [String]? {
        guard case .list(let list)? = json else { return nil }
        let paths = list.compactMap(\.text)
        return paths.count == list.count && paths.allSatisfy { $0.hasPrefix("/") } ? paths : nil
    }
}
