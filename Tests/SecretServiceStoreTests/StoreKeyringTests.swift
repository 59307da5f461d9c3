import RecordStore
import Support
import Testing
import VaultCrypto

@testable import SecretServiceStore

/// The same contract over a real GNOME Keyring, and what only a real one can show.
@Suite(.serialized) struct StoreKeyringTests {
    /// A keyring session, and the vaults that a test makes in it.
    struct Session {
        let keyring: ScratchKeyring
        let service: SecretService
        let paths: KeyringPaths
        let collection: CollectionInfo
        let entropy = Entropy.system

        init() throws {
            keyring = try ScratchKeyring()
            service = try SecretService.connect(environment: keyring.environment, patience: .script)
            paths = Self.paths(keyring.environment)
            collection = try service.collection(.standard, making: false)
        }

        static func paths(_ environment: [String: String]) -> KeyringPaths {
            KeyringPaths(
                anchorFolder: (environment["XDG_STATE_HOME"] ?? "") + "/hsip",
                environment: environment
            )
        }

        func create() throws -> SecretServiceStore {
            try SecretServiceStore.create(
                named: "home",
                in: collection,
                paths: paths,
                items: service,
                natives: try StoreScratchKeyring.passwords(),
                entropy: entropy,
                now: { StoreScratchKeyring.now }
            )
        }

        func open(
            _ vaultID: [UInt8],
            _ service: SecretService? = nil
        ) throws -> SecretServiceStore {
            try SecretServiceStore.open(
                vaultID: vaultID,
                paths: paths,
                items: service ?? self.service,
                natives: try StoreScratchKeyring.passwords(),
                describe: { _ in collection },
                entropy: entropy,
                now: { StoreScratchKeyring.now }
            )
        }
    }

    private func check(_ promise: StorePromise) throws {
        let session = try Session()
        try promise.check(
            StoreBackend(
                make: { try session.create() },
                reopen: { try session.open($0.vaultID) },
                raiseFloor: { try #require($0 as? SecretServiceStore).acceptRollback() }
            )
        )
    }

    @Test(arguments: StorePromise.all)
    func `GNOME Keyring keeps the contract`(promise: StorePromise) throws {
        try check(promise)
    }

    @Test func `values of a mebibyte and names in every script are kept`() throws {
        let session = try Session()
        let store = try session.create()
        let names = [
            "Müller", "Ελληνικά", "Кириллица", "עברית", "العربية", "हिन्दी", "ไทย", "日本語", "한국어",
            "👩‍👩‍👧‍👦 family", "a/b c\"d'e\\f", "ǆ", String(repeating: "語", count: 170),
        ]
        for (number, name) in names.enumerated() {
            let body = try Secret(
                copying: (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ number) }
            )
            for kind in ["note", "password"] {
                let attributes = try Attributes(["label \(name.prefix(4))": name])
                var changes = ChangeSet(floor: 0)
                changes.put(
                    RecordDraft(
                        id: try RecordID(kind, name),
                        label: name,
                        attributes: attributes,
                        body: kind == "note" ? body : try Secret(copying: Array(name.utf8))
                    ),
                    expecting: 0
                )
                try store.commit(changes)
                let found = try #require(
                    try store.read { reader throws(StoreError) in
                        try reader.list(RecordKind(kind), where: attributes)
                    }.first
                )
                #expect(found.label == name)
            }
            let note = try #require(
                try store.read { reader throws(StoreError) in try reader.find(RecordID("note", name)) }
            )
            #expect(ConstantTime.equal(note.body, body))
            #expect(
                try session.keyring.run(["secret-tool", "lookup", "kind", "password", "name", name]) == name
            )
        }
        #expect(try store.verify().records == 2 * names.count)
        session.keyring.killKeyring()
        try session.keyring.startKeyring()
        #expect(try session.open(store.vaultID).verify().records == 2 * names.count)
    }

    @Test func `secret-tool reads a password itself, and what it writes is not the vault's`() throws {
        let session = try Session()
        let store = try session.create()
        let vault = Hex.encode(store.vaultID)
        let id = try RecordID("password", "mail")
        try store.put(id, "hunter2", attributes: Attributes(["user": "me"]))
        #expect(
            try session.keyring.run([
                "secret-tool", "lookup", "vault", vault, "kind", "password", "name", "mail",
            ])
                == "hunter2"
        )
        #expect(try session.keyring.run(["secret-tool", "lookup", "user", "me"]) == "hunter2")

        // Over the copy: the vault goes on with what it has, and says so.
        let query = [
            "xdg:schema", "io.hsip.vault.Secret", "vault", vault, "kind", "password", "name", "mail",
        ]
        try session.keyring.run(["secret-tool", "store", "--label=New"] + query, input: "changed")
        #expect(try store.text(id) == "hunter2")
        #expect(try store.verify().differing == [id])
        #expect(try store.publishCopies() == 1)
        #expect(try session.keyring.run(["secret-tool", "lookup"] + query) == "hunter2")
        #expect(try store.verify().differing.isEmpty)
        try store.commit(ChangeSet(floor: 0, changes: [.delete(id, expecting: nil)]))
        #expect(try session.service.find(["vault": vault, "name": "mail"]).unlocked.isEmpty)
    }

    @Test(arguments: ["note", "password"])
    func `eight stores count together and lose nothing`(kind: String) async throws {
        let session = try Session()
        let store = try session.create()
        let id = try RecordID(kind, "counter")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                let service = try SecretService.connect(
                    environment: session.keyring.environment,
                    patience: .script
                )
                let store = try session.open(store.vaultID, service)
                group.addTask { try StoreSharingTests.count(store, id, times: 25) }
            }
            try await group.waitForAll()
        }
        #expect(try store.text(id) == "200")
        #expect(try store.verify().generation == 201)
    }

    @Test func `four processes count together and lose nothing`() async throws {
        let session = try Session()
        let store = try session.create()
        let (environment, vault) = (session.keyring.environment, store.vaultID)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    await #expect(processExitsWith: .success) {
                        [environment = environment as [String: String], vault = vault as [UInt8]] in
                        try StoreKeyringTests.countInProcess(environment, vault)
                    }
                }
            }
        }
        #expect(try store.text(RecordID("n", "counter")) == "100")
        #expect(try store.verify().generation == 101)
    }

    static func countInProcess(_ environment: [String: String], _ vault: [UInt8]) throws {
        let store = try SecretServiceStore.open(
            vaultID: vault,
            paths: Session.paths(environment),
            service: SecretService.connect(environment: environment, patience: .script),
            entropy: .system,
            now: { 1 }
        )
        try StoreSharingTests.count(store, RecordID("n", "counter"), times: 25)
    }

    @Test(arguments: StoreKillingService.Moment.allCases, [1, 4])
    func `a daemon killed at any call of a commit leaves all or nothing`(
        moment: StoreKillingService.Moment,
        records: Int
    ) throws {
        let session = try Session()
        let service = StoreKillingService(session.service, session.keyring)
        let made = try session.create()
        func open() throws -> SecretServiceStore {
            try SecretServiceStore.open(
                vaultID: made.vaultID,
                paths: session.paths,
                items: service,
                describe: { _ in session.collection },
                entropy: .system,
                now: { 1 }
            )
        }
        func change(_ store: any Store, to text: String) throws -> ChangeSet {
            var changes = ChangeSet(floor: 0)
            for number in 0..<records {
                let id = try RecordID(number % 2 == 0 ? "password" : "note", "\(number)")
                let revision = try store.read { r throws(StoreError) in try r.info(id)?.revision ?? 0 }
                changes.put(
                    RecordDraft(id: id, label: text, body: try Secret(copying: Array(text.utf8))),
                    expecting: revision
                )
            }
            return changes
        }
        var store = try open()
        try store.commit(change(store, to: "0"))
        var (call, last) = (0, "0")
        while true {
            call += 1
            let changes = try change(store, to: "\(call)")
            service.kill(at: call, moment)
            var error: StoreError?
            do throws(StoreError) { try store.commit(changes) } catch let failure { error = failure }
            guard service.hasKilled else { break }
            session.keyring.killKeyring()
            try session.keyring.startKeyring()
            // The first call may meet the news of the death, which comes before any answer of the new daemon.
            if call % 2 == 0 { store = try (try? open()) ?? open() }
            let all = try (try? StoreSeen.all(store)) ?? StoreSeen.all(store)
            let seen = Set(all.map { String(decoding: $0.body, as: UTF8.self) })
            #expect(seen.count == 1, "call \(call)")
            switch error {
            case nil: #expect(seen == ["\(call)"], "call \(call)")
            case .commitUnknown?: #expect(seen == ["\(call)"] || seen == [last], "call \(call)")
            default: #expect(seen == [last], "call \(call), \(String(describing: error))")
            }
            last = seen.first ?? ""
            #expect(try store.verify().records == records)
        }
        #expect(call > 3)
    }

    @Test func `a locked keyring still shows which vaults it has, and opens none`() throws {
        let session = try Session()
        let store = try session.create()
        try store.put(RecordID("note", "a"), "x")
        try session.keyring.run([
            "gdbus", "call", "--session", "--dest", "org.freedesktop.secrets", "--object-path",
            "/org/freedesktop/secrets", "--method", "org.freedesktop.Secret.Service.Lock",
            "['\(session.collection.path)']",
        ])
        let vaults = try SecretServiceStore.vaults(in: session.service)
        #expect(vaults.map(\.vaultID) == [store.vaultID] && vaults.map(\.name) == ["home"])
        #expect(vaults.map(\.isLocked) == [true] && vaults.map(\.collection) == [session.collection.path])
        #expect(throws: StoreError.keyringLocked) { try session.open(store.vaultID) }
        #expect(throws: StoreError.keyringLocked) { try store.text(RecordID("note", "a")) }
        #expect(throws: StoreError.keyringLocked) { try store.put(RecordID("note", "a"), "y") }
    }

    @Test func `the public functions make, find, open and remove a vault`() throws {
        let session = try Session()
        let made = try SecretServiceStore.create(
            named: "home",
            in: .standard,
            paths: session.paths,
            service: session.service,
            entropy: .system,
            now: { 1 }
        )
        #expect(made.collection == session.collection)
        try made.put(RecordID("note", "a"), "x")
        let opened = try SecretServiceStore.open(
            vaultID: made.vaultID,
            paths: session.paths,
            service: session.service,
            entropy: .system,
            now: { 1 }
        )
        #expect(opened.collection == session.collection)
        #expect(try opened.text(RecordID("note", "a")) == "x")
        let copy = try made.read { reader throws(StoreError) in
            try SecretServiceStore.adopt(
                reader,
                vaultID: Array(repeating: 3, count: 16),
                named: "copy",
                position: Position(epoch: 2, generation: 9),
                in: .standard,
                paths: session.paths,
                service: session.service,
                entropy: .system,
                now: { 1 }
            )
        }
        #expect(try StoreSeen.all(copy) == StoreSeen.all(made))
        #expect(try SecretServiceStore.vaults(in: session.service).count == 2)
        try SecretServiceStore.erase(vaultID: made.vaultID, service: session.service)
        #expect(try SecretServiceStore.vaults(in: session.service).map(\.name) == ["copy"])
        #expect(throws: StoreError.notFound) { try made.text(RecordID("note", "a")) }
        #expect(throws: StoreError.notFound) { try made.put(RecordID("note", "a"), "y") }
        #expect(throws: StoreError.notFound) { try made.verify() }
        #expect(throws: StoreError.notFound) { try made.status() }
    }
}
