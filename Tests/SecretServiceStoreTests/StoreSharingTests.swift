import KeyringFake
import RecordStore
import SecretServiceStore
import Support
import Synchronization
import Testing
import VaultCrypto

/// Several openers of one vault, and a collection that locks itself.
@Suite struct StoreSharingTests {
    /// Adds one to a number until `times` additions went through.
    static func count(_ store: any Store, _ id: RecordID, times: Int) throws {
        var done = 0
        while done < times {
            let (floor, revision, value) = try store.read { reader throws(StoreError) in
                let record = try reader.find(id)
                let text = record.map { String(decoding: $0.body.withBytes { $0.copied() }, as: UTF8.self) }
                return (reader.floor, record?.info.revision ?? 0, text.flatMap { Int($0) } ?? 0)
            }
            let body = try Secret(copying: Array(String(value + 1).utf8))
            let change = Change.put(RecordDraft(id: id, body: body), expecting: revision)
            do throws(StoreError) {
                try store.commit(ChangeSet(floor: floor, changes: [change]))
                done += 1
            } catch {
                guard error == .conflict else { throw error }
            }
        }
    }

    @Test(arguments: ["n", "password"])
    func `counting with compare-and-swap loses nothing between two stores and four threads`(kind: String)
        async throws
    {
        let vault = try StoreScratchKeyring()
        let first = try vault.create()
        let stores = [first, try vault.open(first.vaultID)]
        let id = try RecordID(kind, "counter")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask { try Self.count(stores[task % 2], id, times: 50) }
            }
            try await group.waitForAll()
        }
        #expect(try vault.open(first.vaultID).text(id) == "200")
        #expect(try first.verify().generation == 201)
        #expect(try vault.open(first.vaultID).verify().records == 1)
    }

    @Test func `one store sees what another has written, also a restore`() throws {
        let vault = try StoreScratchKeyring()
        let writer = try vault.create()
        let reader = try vault.open(writer.vaultID)
        let id = try RecordID("n", "a")
        for text in ["one", "two", "three"] {
            try writer.put(id, text)
            #expect(try reader.text(id) == text)
        }
        try writer.acceptRollback()
        #expect(try reader.read { $0.floor } == 5)
        #expect(try reader.read { r throws(StoreError) in try r.info(id) }?.predatesRestore == true)
    }

    /// Whether someone else can take the lock of a vault alone.
    private static func isFree(_ vault: StoreScratchKeyring) -> Bool {
        (try? VaultLock(path: vault.lockPath, vaultID: []).exclusive()) != nil
    }

    @Test func `anyone who must be asked for a password is not asked under the lock`() throws {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        let id = try RecordID("n", "a")
        try store.put(id, "x")
        let wasFree = Mutex<[Bool]>([])
        func lock() {
            vault.service.lock { wasFree.withLock { $0.append(Self.isFree(vault)) } }
        }
        lock()
        #expect(try store.text(id) == "x")
        lock()
        try store.put(id, "y")
        lock()
        #expect(try vault.open(store.vaultID).text(id) == "y")
        lock()
        #expect(try store.verify().records == 1)
        try vault.logOut()
        lock()
        #expect(try store.put(id, "z") == 4)
        lock()
        try store.acceptRollback()
        #expect(wasFree.withLock { $0 } == Array(repeating: true, count: 6))
        #expect(vault.service.asked == 6)
    }

    @Test(arguments: 1...12, ["n", "password"])
    func `a collection that locks itself in the middle of a call is not an empty one`(
        call: Int,
        kind: String
    ) throws {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        let id = try RecordID(kind, "a")
        try store.put(id, "x")
        let body = try Secret(copying: [0x78])
        let changes = ChangeSet(floor: 0, changes: [.put(RecordDraft(id: id, body: body), expecting: 0)])
        for isKnown in [true, false] {
            if !isKnown { try vault.logOut() }
            vault.service.lock(beforeCall: call)
            #expect(try store.text(id) == "x")
            if !isKnown { try vault.logOut() }
            vault.service.lock(beforeCall: call)
            #expect(try vault.open(store.vaultID).status().records == 1)
            vault.service.lock(beforeCall: call)
            #expect(try store.read { r throws(StoreError) in try r.list(RecordKind(kind)) }.count == 1)
            vault.service.lock(beforeCall: call)
            do throws(StoreError) {
                try store.commit(changes)
                Issue.record("written over")
            } catch {
                #expect(error == .conflict)
            }
        }
    }

    @Test func `a collection that stays locked is told, and nothing is changed`() throws {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        try store.put(RecordID("n", "a"), "x")
        let items = vault.service.items
        vault.service.lock(mayAsk: false)
        #expect(throws: StoreError.keyringLocked) { try store.text(RecordID("n", "a")) }
        #expect(throws: StoreError.keyringLocked) { try store.put(RecordID("n", "a"), "y") }
        #expect(throws: StoreError.keyringLocked) { try vault.open(store.vaultID) }
        #expect(throws: StoreError.keyringLocked) {
            try SecretServiceStore.erase(vaultID: store.vaultID, items: vault.service)
        }
        #expect(vault.service.items == items)
        let found = try SecretServiceStore.vaults(items: vault.service)
        #expect(found.map(\.isLocked) == [true])
    }

    @Test func `a view goes on after unlocking only while the vault is the same`() throws {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        let id = try RecordID("n", "a")
        // A record with a page of its own: the root alone does not say what is in it.
        let long = String(repeating: "x", count: 9_000)
        try store.put(id, long)
        let text = try store.read { reader throws(StoreError) in
            vault.service.lock()
            return try reader.find(id)?.body.count
        }
        #expect(text == 9_000)
        let other = try vault.open(store.vaultID)
        let items = vault.service.items
        #expect(throws: StoreError.busy) {
            try store.read { reader throws(StoreError) in
                vault.service.lock {
                    // Someone unlocks it first and writes.
                    vault.service.restore(items)
                    vault.service.unlockQuietly()
                    _ = try? other.put(id, "y")
                }
                _ = try reader.find(id)
            }
        }
        #expect(try store.text(id) == "y")
    }

    @Test func `locked items of another collection are no one's concern`() throws {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        try store.put(RecordID("n", "a"), "x")
        let item = try #require(vault.items("Header").first).item
        vault.service.tamper { $0["/org/freedesktop/secrets/collection/other/1"] = item }
        #expect(try store.verify().records == 1)
        try store.put(RecordID("n", "a"), "y")
        #expect(try store.text(RecordID("n", "a")) == "y")
    }
}
