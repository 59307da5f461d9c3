internal import Files
internal import Glibc
internal import RecordStore
internal import System
internal import Text
internal import VaultCrypto

/// `config.json`: the vaults that were made here.
///
/// The choice of a backend is made once and written down, so
/// that a vault that is not there is an error and never a new, empty vault somewhere else.
package struct ConfigFile: Sendable {
    private static let limit = 1 << 20

    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// A setting of the user, one word; nil if it is not set.
    package func setting(_ name: String) throws(OpeningError) -> String? {
        switch try read()[name] {
        case .text(let word)?: return word
        case nil, .null?: return nil
        default: throw unreadable
        }
    }

    /// Writes or removes a setting; everything else in the file stays.
    package func set(_ word: String?, for name: String) throws(OpeningError) {
        do {
            try edit { tree in tree[name] = word.map { .text($0) } }
        } catch let error as OpeningError {
            throw error
        } catch {
            throw .unwritableConfig(path: path)
        }
    }

    /// Changes the file while no other process does; an unchanged file is not written.
    func edit(_ body: (inout JSONValue) throws -> Void) throws {
        try makeFolder()
        let lock = try lockFolder()
        defer { withExtendedLifetime(lock) {} }
        let present = try read()
        var tree = present
        try body(&tree)
        guard tree != present else { return }
        guard let text = try? tree.bytes(.pages) else { throw unreadable }
        try asOpeningError { try OwnFile.writeKept(text, to: path) }
    }

    /// Proves that the file can be written before anything depends on it.
    package func checkWritable() throws(OpeningError) {
        _ = try read()
        try makeFolder()
        guard unsafe access(Folder.parent(of: path), W_OK) == 0 else {
            throw .unwritableConfig(path: path)
        }
    }

    func read() throws(OpeningError) -> JSONValue {
        let bytes: [UInt8]
        do throws(ProgramError) {
            bytes = try OwnFile.readKept(path, limit: Self.limit)
        } catch .noSuchFile where !Path.exists(path) {
            return [:]
        } catch .noSuchFile, .unsafeFile {
            // A link that leads nowhere, a folder, a pipe.
            throw unreadable
        } catch {
            throw .file(error)
        }
        guard let tree = try? JSONValue(bytes) else { throw unreadable }
        return tree
    }

    /// Waits until no other process changes the file, and keeps others waiting until the folder is released.
    ///
    /// The folder is locked, because each change replaces the file itself. If the file system does not support locks,
    /// a new vault is recorded all the same.
    ///
    /// - Throws: `busy` after ten seconds.
    private func lockFolder() throws(OpeningError) -> LocalFile? {
        let folder = try? LocalFile(Folder.parent(of: path), O_RDONLY | O_DIRECTORY, followsLinks: true)
        do throws(StoreError) {
            try folder?.lock(.alone)
        } catch .busy {
            throw .store(.busy)
        } catch {}
        return folder
    }

    private func makeFolder() throws(OpeningError) {
        let folder = Folder.parent(of: path)
        do throws(StoreError) {
            try PathChecks.makeFolder(folder)
        } catch {
            throw .noConfigFolder(path: folder)
        }
        guard Path.isFolder(folder) else { throw .noConfigFolder(path: folder) }
    }

    var unreadable: OpeningError { .unreadableConfig(path: path) }
}
