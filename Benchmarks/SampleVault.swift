internal import FileStore
internal import RecordStore
internal import VaultCrypto

/// A vault of some size, opened with its key: the derivation of a key from a passphrase is left out.
final class SampleVault {
    /// What a row of these records has: id, seal, meta, body (256 bytes of meta hold five attributes).
    static let rowSizes = [16, 80, metaSize, 128]
    static let metaSize = 256
    /// Bytes of a sealed head.
    static let headSize = 2_145

    private let key: SecretBytes
    private let code: Unlock
    private let attributes: Attributes
    private let body: Secret
    private let kind: RecordKind
    private let paths: VaultPaths
    private(set) var store: FileStore
    let count: Int
    private var added = 0

    /// Makes a vault of `count` records in a folder of its own.
    init(count: Int, in folder: String) throws {
        self.count = count
        key = try Entropy.system.secret(32)
        code = .recovery(Secret(try Entropy.system.secret(16)))
        body = Secret(try Entropy.system.secret(32))
        kind = try RecordKind("login")
        attributes = try Attributes([
            "host": "example.com", "port": "443", "tag": "work", "url": "https://example.com/login",
            "user": "somebody@example.com",
        ])
        paths = VaultPaths(
            vault: "\(folder)/\(count)/vault.hsipvault",
            anchorFolder: "\(folder)/\(count)-state"
        )
        store = try FileStore.create(
            at: paths,
            vaultID: Entropy.system.bytes(16),
            vaultKey: key,
            slots: [NewSlot(code)],
            entropy: .system,
            now: { 1_800_000_000_000 }
        )
        for start in stride(from: 0, to: count, by: 1_000) {
            var changes = ChangeSet(floor: 0)
            for number in start..<min(start + 1_000, count) {
                changes.put(try draft("site-\(number)"), expecting: 0)
            }
            try store.commit(changes)
        }
    }

    private func draft(_ name: String) throws(StoreError) -> RecordDraft {
        RecordDraft(
            id: try RecordID(kind: kind, name: name),
            label: "A site somewhere",
            attributes: attributes,
            body: body
        )
    }

    /// One durable commit of one new record.
    func put() throws {
        added += 1
        try store.commit(ChangeSet(floor: 0, changes: [.put(try draft("new-\(added)"), expecting: 0)]))
    }

    /// Removes what `put` added.
    func shrink() throws {
        var changes = ChangeSet(floor: 0)
        for number in 1...max(1, added) {
            changes.delete(try RecordID(kind: kind, name: "new-\(number)"), expecting: nil)
        }
        added = 0
        try store.commit(changes)
    }

    /// Bytes of the file, once the log is in it.
    func size() throws -> Int {
        close()
        defer { try? reopen() }
        return try Scratch.size(paths.vault)
    }

    /// Closes the file and forgets everything.
    func close() { store.lock() }

    /// Opens the file from nothing, without the derivation of a key.
    func reopen() throws {
        store = try FileStore.open(
            at: paths,
            withVaultKey: key,
            entropy: .system,
            now: { 1_800_000_000_000 }
        )
    }

    /// Reads and compares everything, bodies too.
    func verify() throws {
        guard try store.verify().records == count else { throw BenchmarkError.missingRecord }
    }

    /// Searches the file and its log as a repair does, and judges every row; nothing is written.
    func lookAsRepair() throws {
        let repairing = try Repairing.begin(
            paths.vault,
            into: nil,
            with: [],
            anchorFolder: paths.anchorFolder,
            known: [],
            entropy: .system,
            now: { 1_800_000_000_000 }
        )
        let opened = try repairing.open(code)
        let report = try repairing.look(opened, takesMissing: false, isCompared: { _ in false })
        guard report.isComplete, report.kept == count else { throw BenchmarkError.missingRecord }
    }

    /// A copy in a folder, or the one that is there, where nothing has changed since.
    func backUp(into folder: BackupFolder) throws -> MadeBackup {
        try store.backUp(into: folder, at: 1_800_000_000)
    }

    /// One record with its secret.
    func get(_ number: Int) throws {
        let id = try RecordID(kind: kind, name: "site-\(number)")
        let record = try store.read { reader throws(StoreError) in try reader.find(id) }
        guard record != nil else { throw BenchmarkError.missingRecord }
    }

    /// Gives the vault another key, by which `reopen` does not open it.
    func rekey() throws {
        let report = try store.rekey(store.prepareRekey([.carried(1)]))
        guard report.records >= count else { throw BenchmarkError.missingRecord }
    }

    /// Every record without its secret.
    func list() throws {
        let list = try store.read { reader throws(StoreError) in try reader.list(nil) }
        guard list.count >= count else { throw BenchmarkError.missingRecord }
    }
}
