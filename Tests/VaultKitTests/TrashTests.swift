import RecordStore
import SSHFormats
import Secrets
import Support
import Testing
import VaultCrypto
import VaultKit

/// What is removed can come back for thirty days, whatever the clock says, and whatever was removed.
struct TrashTests {
    /// What can be removed.
    enum Thing: CaseIterable {
        case secret
        case key
        case host
        case hostKey

        func make(_ name: String, in vault: any VaultService) async throws {
            switch self {
            case .secret:
                var change = CredentialChange()
                try change.put("value", in: "password")
                _ = try await vault(Operations.setCredential, name, change)
            case .key: _ = try await vault(Operations.generateSSHKey, name, .ed25519, [], KeyUse())
            case .host:
                let fields = HostProfile.Fields(
                    label: "",
                    host: name,
                    user: "me",
                    authentication: "password"
                )
                _ = try await vault.addSSHHost(NewHost(name: name, fields: fields))
            case .hostKey:
                let key = try PrivateKey.ed25519(comment: [], entropy: .system).publicKey
                _ = try await vault.trustHostKey(key, for: try HostName(alias: name), source: .compared)
            }
        }

        func remove(_ name: String, from vault: any VaultService) async throws {
            switch self {
            case .secret: _ = try await vault(Operations.removeCredential, name, .any)
            case .key: _ = try await vault(Operations.removeSSHKey, name)
            case .host: _ = try await vault(Operations.removeSSHHost, name)
            case .hostKey: _ = try await vault(Operations.removeHostKeys, try HostName(alias: name), nil)
            }
        }

        func isInTrash(_ name: String, of vault: any VaultService) async throws -> Bool {
            switch self {
            case .secret:
                var query = CredentialQuery()
                query.inTrash = true
                return try await vault.credentials(query).contains { $0.name == name }
            case .key: return try await vault(Operations.sshKeys, .trash).contains { $0.name == name }
            case .host: return try await vault(Operations.sshHosts, .trash).contains { $0.name == name }
            case .hostKey: return try await !vault(Operations.hostKeys, try HostName(alias: name)).isEmpty
            }
        }

        func restore(_ name: String, in vault: any VaultService) async throws {
            switch self {
            case .secret: _ = try await vault(Operations.restoreCredential, name)
            case .key: _ = try await vault(Operations.restoreSSHKey, name)
            case .host: _ = try await vault(Operations.restoreSSHHost, name)
            case .hostKey: _ = try await vault(Operations.restoreHostKeys, try HostName(alias: name))
            }
        }
    }

    private func vault(_ clock: TestClock) -> any VaultService {
        let store = MemoryStore(entropy: .system, now: { clock.now * 1000 })
        return Vault(store: store, clock: { clock.now }).service
    }

    @Test(arguments: Thing.allCases)
    func `the trash forgets after thirty days, not before`(thing: Thing) async throws {
        let clock = TestClock()
        let vault = try await Person("Alice", clock: clock).vault
        for name in ["a", "b", "c"] { try await thing.make(name, in: vault) }
        try await thing.remove("a", from: vault)
        try await vault.live(TrashPolicy.retention, by: clock)
        try await thing.remove("b", from: vault)
        #expect(try await thing.isInTrash("a", of: vault))
        clock.advance(by: 1)
        try await thing.remove("c", from: vault)
        #expect(try await !thing.isInTrash("a", of: vault))
        #expect(try await thing.isInTrash("b", of: vault))
    }

    @Test(arguments: Thing.allCases)
    func `what is removed under a clock that is behind is kept as long as anything else`(thing: Thing)
        async throws
    {
        let clock = TestClock()
        let vault = vault(clock)
        for name in ["a", "b", "c"] { try await thing.make(name, in: vault) }
        // A machine without a battery for its clock starts in the past.
        clock.turnBack(by: 400 * 86_400)
        try await thing.remove("a", from: vault)
        clock.advance(by: 400 * 86_400 + 3_600)
        try await thing.remove("b", from: vault)
        #expect(try await thing.isInTrash("a", of: vault))
        clock.advance(by: 3_600)
        try await thing.remove("c", from: vault)
        try await thing.restore("a", in: vault)
        let isThere = try await thing.isInTrash("a", of: vault)
        #expect(thing == .hostKey || !isThere)
    }

    @Test(arguments: Thing.allCases)
    func `what is removed in the first second of all clocks is in the trash`(thing: Thing) async throws {
        let vault = vault(TestClock(0))
        try await thing.make("a", in: vault)
        try await thing.remove("a", from: vault)
        #expect(try await thing.isInTrash("a", of: vault))
        try await thing.restore("a", in: vault)
        let isThere = try await thing.isInTrash("a", of: vault)
        #expect(thing == .hostKey || !isThere)
    }

    @Test func `a time of removal that no clock reaches stops nothing`() async throws {
        let clock = TestClock()
        let person = try await Person("Alice", clock: clock, backend: .memory)
        let floor = try person.store.read { reader throws(StoreError) in reader.floor }
        let field = try CredentialField("password", text: "p")
        let draft = RecordDraft(
            id: try RecordID("secret", "x"),
            attributes: try Attributes(["removed": String(UInt64.max)]),
            body: try Credential(.login, [field], at: 1).content()
        )
        try person.store.commit(ChangeSet(floor: floor, changes: [.put(draft, expecting: 0)]))
        try await Thing.secret.make("a", in: person.vault)
        try await Thing.secret.remove("a", from: person.vault)
        #expect(try await Thing.secret.isInTrash("x", of: person.vault))
    }

    @Test(arguments: [Thing.secret, .key])
    func `what would like the name of a damaged record gets another one, or is told why`(thing: Thing)
        async throws
    {
        let clock = TestClock()
        let memory = MemoryStore(entropy: .system, now: { clock.now * 1000 })
        let whole = Vault(store: memory, clock: { clock.now }).service
        try await thing.make("a", in: whole)
        let victim = try RecordID(thing == .key ? "ssh.key" : "secret", "a")
        let vault = Vault(store: DamagedStore(memory, victim), clock: { clock.now }).service
        let damaged = VaultError.store(.tampered(.record(DamagedRecord(victim, part: .meta))))
        await #expect(throws: damaged) { try await thing.make("a", in: vault) }
        var bundle = VaultBundle()
        let key = try PrivateKey.ed25519(comment: [], entropy: .system)
        try bundle.addKey(try KeyRecord(key, origin: .generated).content(), named: "a")
        guard thing == .key else { return }
        #expect(try await vault.takeBundle(bundle).keys.map(\.name) == ["a-2"])
        #expect(try await vault(Operations.sshKeys, .kept).map(\.name) == ["a-2"])
    }

    @Test(arguments: CredentialImportRules.ExistingName.allCases)
    func `an import goes on beside a damaged record that has the name of one of its own`(
        taken: CredentialImportRules.ExistingName
    ) async throws {
        let clock = TestClock()
        let memory = MemoryStore(entropy: .system, now: { clock.now * 1000 })
        let whole = Vault(store: memory, clock: { clock.now }).service
        try await Thing.secret.make("a", in: whole)
        let victim = try RecordID("secret", "a")
        let vault = Vault(store: DamagedStore(memory, victim), clock: { clock.now }).service
        var batch = CredentialBatch()
        for name in ["a", "b"] {
            let field = try CredentialField("password", text: "new")
            try batch.append(try Credential(.login, [field], at: 1), named: name)
        }
        var rules = CredentialImportRules()
        rules.taken = taken
        let outcomes = try await vault.importCredentials(batch, rules)
        #expect(outcomes.map(\.act) == [taken == .leave ? .nameTaken : .renamed, .added])
        #expect(outcomes.map(\.name) == [taken == .leave ? "a" : "a-2", "b"])
    }

    @Test func `where every name may be that of a damaged record, a search for a free one ends`() async throws
    {
        let clock = TestClock()
        let memory = MemoryStore(entropy: .system, now: { clock.now * 1000 })
        let vault = Vault(store: DamagedStore(memory, nil), clock: { clock.now }).service
        var batch = CredentialBatch()
        let field = try CredentialField("password", text: "new")
        try batch.append(try Credential(.login, [field], at: 1), named: "a")
        var rules = CredentialImportRules()
        rules.taken = .rename
        let refusal = await #expect(throws: VaultError.self) {
            try await vault.importCredentials(batch, rules)
        }
        guard case .store(.tampered(.record)) = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
    }

    @Test(arguments: [StoreError.busy, .keyringDied, .io(code: 5)])
    func `a change that was made and cannot be read back is not told as one to try again`(
        error: StoreError
    ) async throws {
        let clock = TestClock()
        let memory = MemoryStore(entropy: .system, now: { clock.now * 1000 })
        let store = UnreadableStore(memory, error)
        let vault = Vault(store: store, clock: { clock.now }).service
        await #expect(throws: VaultError.store(.commitUnknown)) {
            try await Thing.secret.make("a", in: vault)
        }
        #expect(memory.commits == 1)
    }
}

/// A store that cannot be read once something was written.
private final class UnreadableStore: Store {
    private let store: MemoryStore
    private let error: StoreError

    init(_ store: MemoryStore, _ error: StoreError) { (self.store, self.error) = (store, error) }

    var vaultID: [UInt8] { store.vaultID }

    func read<R>(_ body: (any RecordReader) throws(StoreError) -> R) throws(StoreError) -> R {
        guard store.commits == 0 else { throw error }
        return try store.read(body)
    }

    func commit(_ changes: ChangeSet) throws(StoreError) -> Revision { try store.commit(changes) }
}
