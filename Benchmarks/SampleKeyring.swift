internal import Glibc
internal import RecordStore
internal import SecretServiceStore
internal import VaultCrypto

/// A vault in the keyring of this session that grows to the sizes that are measured.
final class SampleKeyring {
    /// Kind of the records.
    static let kind = "login"
    /// An attribute that every record has.
    static let user = "somebody@example.com"

    /// The vault.
    private(set) var store: SecretServiceStore
    /// How many records it has.
    private(set) var count = 0
    private let service: SecretService
    private let paths: KeyringPaths
    private let environment: [String: String]
    private let attributes: Attributes
    private var body: Secret
    private var added = 0

    /// Makes an empty vault in the default collection.
    init(in folder: String) throws {
        environment = Self.sessionBus
        paths = KeyringPaths(anchorFolder: folder + "/keyring-state", lockFolder: folder + "/keyring-run")
        attributes = try Attributes(["user": Self.user])
        body = Secret(try Entropy.system.secret(32))
        service = try SecretService.connect(environment: environment, patience: .script)
        store = try SecretServiceStore.create(
            named: "benchmarks",
            in: .standard,
            paths: paths,
            service: service,
            entropy: .system,
            now: { 1_800_000_000_000 }
        )
    }

    /// The vault id as its items have it.
    var vault: String { Hex.encode(store.vaultID) }

    /// Adds records until there are `count`, in one commit, as an import does.
    func grow(to count: Int) throws {
        let changes = try (self.count..<max(self.count, count)).map {
            Change.put(try draft("site-\($0)"), expecting: 0)
        }
        try store.commit(ChangeSet(floor: 0, changes: changes))
        self.count = max(self.count, count)
    }

    /// One commit of one new record.
    func putNew() throws {
        added += 1
        try put("new-\(added)", expecting: 0)
    }

    /// One commit of a record that is there.
    func replace() throws {
        let id = try RecordID(Self.kind, "site-0")
        let info = try store.read { reader throws(StoreError) in try reader.info(id) }
        guard let info else { throw BenchmarkError.missingRecord }
        body = Secret(try Entropy.system.secret(32))
        try put("site-0", expecting: info.revision)
    }

    /// Removes what `putNew` added.
    func shrink() throws {
        for number in 1...max(1, added) {
            let id = try RecordID(Self.kind, "new-\(number)")
            try store.commit(ChangeSet(floor: 0, changes: [.delete(id, expecting: nil)]))
        }
        added = 0
    }

    /// One record with its secret.
    func get(_ number: Int) throws {
        let id = try RecordID(Self.kind, "site-\(number)")
        let record = try store.read { reader throws(StoreError) in try reader.find(id) }
        guard record != nil else { throw BenchmarkError.missingRecord }
    }

    /// Every record without its secret.
    func list() throws { try list(store) }

    /// The same by somebody who has yet to connect and to open the vault, as a program does.
    func openAndList() throws {
        let fresh = try SecretServiceStore.open(
            vaultID: store.vaultID,
            paths: paths,
            service: SecretService.connect(environment: environment, patience: .script),
            entropy: .system,
            now: { 1_800_000_000_000 }
        )
        try list(fresh)
    }

    private func list(_ store: SecretServiceStore) throws {
        let list = try store.read { reader throws(StoreError) in try reader.list(nil) }
        guard list.count >= count else { throw BenchmarkError.missingRecord }
    }

    private func draft(_ name: String) throws -> RecordDraft {
        RecordDraft(
            id: try RecordID(Self.kind, name),
            label: "A site somewhere",
            attributes: attributes,
            body: body
        )
    }

    private func put(_ name: String, expecting revision: Revision) throws {
        try store.commit(ChangeSet(floor: 0, changes: [.put(try draft(name), expecting: revision)]))
    }

    private static var sessionBus: [String: String] {
        var found: [String: String] = [:]
        for name in ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"] {
            if let value = unsafe getenv(name) { found[name] = unsafe String(cString: value) }
        }
        return found
    }
}
