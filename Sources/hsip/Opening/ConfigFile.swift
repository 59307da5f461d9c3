internal import Console
internal import Foundation
internal import Glibc
internal import LocalState
internal import Programs
internal import RecordStore

/// `config.json`: the vaults that were made here.
///
/// The choice of a backend is made once and written down, so
/// that a vault that is not there is an error and never a new, empty vault somewhere else.
struct ConfigFile {
    private static let limit = 1 << 20

    let path: String

    /// The record of a vault; nil when there is none.
    func record(of key: String) throws(Failure) -> VaultRecord? {
        let tree = try read()["vaults"][key]
        guard tree != .null else { return nil }
        guard let record = VaultRecord(tree) else { throw unreadable }
        return record
    }

    /// Every record that can be read, by the name of its vault.
    func records() throws(Failure) -> [String: VaultRecord] {
        let vaults = try read()["vaults"]
        var records: [String: VaultRecord] = [:]
        for name in vaults.names { records[name] = VaultRecord(vaults[name]) }
        return records
    }

    /// Remembers a vault, or forgets it; everything else in the file stays, also what another process writes
    /// there at this moment.
    func set(_ record: VaultRecord?, of key: String) throws(Failure) {
        try change(key) { _ in record }
    }

    /// Changes what is remembered of a vault, whatever that is by now.
    func change(
        _ key: String,
        _ edit: (VaultRecord?) throws(Failure) -> VaultRecord?
    ) throws(Failure) {
        try makeFolder()
        let lock = try lockFolder()
        defer { if lock >= 0 { close(lock) } }
        var tree = try read()
        var vaults = tree["vaults"]
        let present = vaults[key]
        let old = VaultRecord(present)
        // What cannot be read is not taken for nothing.
        guard old != nil || present == .null else { throw unreadable }
        let record = try edit(old)
        guard record?.tree ?? .null != present else { return }
        vaults[key] = record?.tree ?? .null
        tree["vaults"] = vaults
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let text = try? encoder.encode(tree) else { throw unreadable }
        do {
            try OwnFile.write(Array(text) + [0x0A], to: path, force: true)
        } catch {
            throw Failures.explain(error)
        }
    }

    /// Changes something about one vault, if it is still the recorded one: what another process wrote down since
    /// then stays, and so does the record of another vault.
    func update(
        _ key: String,
        of vaultID: [UInt8],
        _ edit: (inout VaultRecord) -> Void
    ) throws(Failure) {
        try change(key) { present in
            guard var record = present, record.id == vaultID else { return present }
            edit(&record)
            return record
        }
    }

    /// Proves that the file can be written before anything depends on it.
    func checkWritable() throws(Failure) {
        _ = try read()
        try makeFolder()
        guard unsafe access((path as NSString).deletingLastPathComponent, W_OK) == 0 else {
            throw Failure(
                .unavailable,
                code: "unavailable",
                message: "\(path) cannot be written",
                hint: "hsip doctor"
            )
        }
    }

    private func read() throws(Failure) -> JSONTree {
        let bytes: [UInt8]
        do {
            bytes = try OwnFile.read(path, limit: Self.limit)
        } catch .noSuchFile {
            return .object([:])
        } catch {
            throw Failures.explain(error)
        }
        guard let tree = try? JSONDecoder().decode(JSONTree.self, from: Data(bytes)) else {
            throw unreadable
        }
        return tree
    }

    /// Waits until no other process changes the file; closing the descriptor lets the next one in.
    ///
    /// The folder is locked, as the file itself is exchanged by each change. A file system without locks is no
    /// reason to leave a new vault unrecorded.
    ///
    /// - Throws: `busy` after ten seconds.
    private func lockFolder() throws(Failure) -> Int32 {
        let folder = (path as NSString).deletingLastPathComponent
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return -1 }
        do throws(StoreError) {
            try SystemCall.lock(descriptor, LOCK_EX)
        } catch .busy {
            close(descriptor)
            throw Failures.explain(StoreError.busy)
        } catch {}
        return descriptor
    }

    private func makeFolder() throws(Failure) {
        let folder = (path as NSString).deletingLastPathComponent
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw Failure(
                .unavailable,
                code: "unavailable",
                message: "the folder \(folder) cannot be made",
                hint: "hsip doctor"
            )
        }
    }

    private var unreadable: Failure {
        Failure(
            .malformed,
            code: "malformedInput",
            message: "\(path) is not what hsip wrote",
            hint: "correct it, or move it away and run hsip doctor --fix"
        )
    }
}
