internal import Glibc
internal import JSON
internal import LocalState
internal import Programs
internal import RecordStore
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

    /// The record of a vault; nil when there is none.
    package func record(of key: String) throws(OpeningError) -> VaultRecord? {
        guard let tree = try read()["vaults"]?[key], tree != .null else { return nil }
        guard let record = VaultRecord(tree) else { throw unreadable }
        return record
    }

    /// A setting of the person's, one word; nil when it is not set.
    package func setting(_ name: String) throws(OpeningError) -> String? {
        switch try read()[name] {
        case .text(let word)?: return word
        case nil, .null?: return nil
        default: throw unreadable
        }
    }

    /// Writes a setting down, or takes it out; everything else in the file stays.
    package func set(_ word: String?, for name: String) throws(OpeningError) {
        do {
            try edit { tree in tree[name] = word.map { .text($0) } }
        } catch let error as OpeningError {
            throw error
        } catch {
            throw .unwritableConfig(path: path)
        }
    }

    /// Every record that can be read, by the name of its vault.
    package func records() throws(OpeningError) -> [String: VaultRecord] {
        var records: [String: VaultRecord] = [:]
        for vault in try read()["vaults"]?.members ?? [] { records[vault.name] = VaultRecord(vault.value) }
        return records
    }

    /// The identifiers of all vaults that are recorded, as the names of their anchors have them.
    package func identifiers() throws(OpeningError) -> Set<String> {
        Set(try records().values.map { Hex.encode($0.id) })
    }

    /// The anchor of a vault that was seen here and is not recorded; nil where there is none.
    package func forgottenAnchor(in folder: String) throws(OpeningError) -> String? {
        let known = try identifiers()
        return Path.names(in: folder)
            .first { $0.hasPrefix("anchor-") && !known.contains(String($0.dropFirst("anchor-".count))) }
            .map { "\(folder)/\($0)" }
    }

    /// Remembers a vault, or forgets it; everything else in the file stays, also what another process writes
    /// there at this moment.
    package func set(_ record: VaultRecord?, of key: String) throws(OpeningError) {
        try revise(key) { _ in record }
    }

    /// Changes what is remembered of a vault by an edit that cannot fail.
    package func revise(
        _ key: String,
        _ edit: (VaultRecord?) -> VaultRecord?
    ) throws(OpeningError) {
        do {
            try change(key, edit)
        } catch let error as OpeningError {
            throw error
        } catch {
            throw .unwritableConfig(path: path)
        }
    }

    /// Changes what is remembered of a vault, whatever that is by now.
    ///
    /// - Throws: `OpeningError`, or what `edit` throws; then nothing was changed.
    package func change(
        _ key: String,
        _ edit: (VaultRecord?) throws -> VaultRecord?
    ) throws {
        try self.edit { tree in
            var vaults = tree["vaults"] ?? [:]
            let present = vaults[key] ?? .null
            let old = VaultRecord(present)
            // What cannot be read is not taken for nothing.
            guard old != nil || present == .null else { throw unreadable }
            vaults[key] = try edit(old)?.tree
            tree["vaults"] = vaults
        }
    }

    /// Changes the file while no other process does; one that stays as it is, is not written.
    func edit(_ body: (inout JSONValue) throws -> Void) throws {
        try makeFolder()
        let lock = try lockFolder()
        defer { if lock >= 0 { close(lock) } }
        let present = try read()
        var tree = present
        try body(&tree)
        guard tree != present else { return }
        guard let text = try? tree.bytes(.pages) else { throw unreadable }
        do throws(ProgramError) {
            try OwnFile.write(text, to: path, force: true)
        } catch {
            throw OpeningError.file(error)
        }
    }

    /// Changes something about one vault, if it is still the recorded one: what another process wrote down since
    /// then stays, and so does the record of another vault.
    package func update(
        _ key: String,
        of vaultID: [UInt8],
        _ edit: (inout VaultRecord) -> Void
    ) throws(OpeningError) {
        try revise(key) { present in
            guard var record = present, record.id == vaultID else { return present }
            edit(&record)
            return record
        }
    }

    /// Proves that the file can be written before anything depends on it.
    package func checkWritable() throws(OpeningError) {
        _ = try read()
        try makeFolder()
        guard unsafe access(PathChecks.parent(of: path), W_OK) == 0 else {
            throw .unwritableConfig(path: path)
        }
    }

    func read() throws(OpeningError) -> JSONValue {
        // A pipe would be waited for; a link to a file is for who keeps such files elsewhere.
        if Path.exists(path), Path.kind(path) != .file { throw .unreadableConfig(path: path) }
        let bytes: [UInt8]
        do throws(ProgramError) {
            bytes = try OwnFile.read(path, limit: Self.limit)
        } catch .noSuchFile {
            return [:]
        } catch {
            throw .file(error)
        }
        guard let tree = try? JSONValue(bytes) else { throw unreadable }
        return tree
    }

    /// Waits until no other process changes the file; closing the descriptor lets the next one in.
    ///
    /// The folder is locked, as the file itself is exchanged by each change. A file system without locks is no
    /// reason to leave a new vault unrecorded.
    ///
    /// - Throws: `busy` after ten seconds.
    private func lockFolder() throws(OpeningError) -> Int32 {
        let folder = PathChecks.parent(of: path)
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return -1 }
        do throws(StoreError) {
            try SystemCall.lock(descriptor, LOCK_EX)
        } catch .busy {
            close(descriptor)
            throw .store(.busy)
        } catch {}
        return descriptor
    }

    private func makeFolder() throws(OpeningError) {
        let folder = PathChecks.parent(of: path)
        do throws(StoreError) {
            try PathChecks.makeFolder(folder)
        } catch {
            throw .noConfigFolder(path: folder)
        }
        guard Path.isFolder(folder) else { throw .noConfigFolder(path: folder) }
    }

    private var unreadable: OpeningError { .unreadableConfig(path: path) }
}
