import RecordStore
import Secrets
import Support
import Testing
import VaultCrypto
import VaultKit
import VaultPolicy

/// Items of programs on every store, as hsip itself works with them.
struct ItemTests {
    private func get(_ id: String, _ vault: any VaultService, version: UInt32? = nil) async throws -> String?
    {
        try await vault.itemValues(ItemReading([id], version: version)).first.map { text($0) }
    }

    @Test(arguments: Backend.allCases)
    func `an item lives its life`(backend: Backend) async throws {
        let clock = TestClock()
        let vault = try await Person("Alice", clock: clock, backend: backend).vault
        let made = try await vault(
            Operations.makeItem,
            making("one", ["user": "joe", "server": "a"], label: "Mail")
        )
        #expect(made.isNew && made.place.collection == "login")
        let id = made.place.id
        #expect(id.utf8.count == 16)
        #expect(try await get(id, vault) == "one")
        let view = try #require(try await vault.itemViews([id, "unknown"]).first)
        #expect(view.label == "Mail" && view.isOpen && view.attributes["user"] == Array("joe".utf8))
        #expect(view.created == clock.now && view.details?.owner == nil && view.details?.readers == [])
        #expect(
            try await vault(Operations.itemSearch, ItemSearch(itemAttributes(["user": "joe"]))).open == [
                made.place
            ]
        )
        #expect(
            try await vault(Operations.itemSearch, ItemSearch(itemAttributes(["user": "ann"]))).open == []
        )
        clock.advance(by: 10)
        var change = ItemChange()
        (change.value, change.label) = (try Secret(copying: [0x32]), "Post")
        change.expires = clock.now + 60
        let changed = try await vault(Operations.setItem, [id], change)
        #expect(changed.map(\.label) == ["Post"] && changed.first?.details?.expires == clock.now + 60)
        #expect(changed.first?.created == view.created && changed.first?.modified == view.created + 10)
        #expect(try await vault(Operations.itemVersions, id) == [1, 2])
        #expect(try await get(id, vault) == "2")
        #expect(try await get(id, vault, version: 1) == "one")
        await #expect(throws: VaultError.item(.unknownVersion)) { _ = try await get(id, vault, version: 9) }
        #expect(try await vault(Operations.removeItem, [id]) == [made.place])
        #expect(try await vault(Operations.itemSearch, ItemSearch()).open == [])
        #expect(try await vault(Operations.itemSearch, ItemSearch(inTrash: true)).open == [made.place])
        await #expect(throws: VaultError.item(.inTrash)) { _ = try await get(id, vault) }
        #expect(try await vault(Operations.restoreItem, [id]).first?.details?.removedAt == nil)
        #expect(try await get(id, vault) == "2")
        #expect(try await vault(Operations.itemSearch, ItemSearch(inTrash: true)).open == [])
    }

    @Test(arguments: Backend.allCases)
    func `collections are made, named and ended`(backend: Backend) async throws {
        let vault = try await Person("Alice", clock: TestClock(), backend: backend).vault
        #expect(try await vault(Operations.itemCollections).map(\.id) == ["login"])
        #expect(try await vault(Operations.itemCollections).first?.isDefault == true)
        let made = try await vault(Operations.setCollection, CollectionChange(label: "My work"))
        #expect(made.id == "My_work" && made.label == "My work" && !made.isDefault)
        #expect(
            try await vault(Operations.setCollection, CollectionChange(label: "My work")).id == "My_work_1"
        )
        // The collection of the session is the front's own.
        #expect(
            try await vault(Operations.setCollection, CollectionChange(label: "session")).id == "session_1"
        )
        let moved = try await vault(
            Operations.setCollection,
            CollectionChange(id: "My_work", becomesDefault: true)
        )
        #expect(moved.isDefault)
        #expect(try await vault(Operations.itemCollections).filter(\.isDefault).map(\.id) == ["My_work"])
        _ = try await vault(Operations.setCollection, CollectionChange(id: "login", becomesDefault: true))
        #expect(try await vault(Operations.itemCollections).filter(\.isDefault).map(\.id) == ["login"])
        let item = try await vault(Operations.makeItem, making("x", [:], in: "My_work"))
        #expect(try await vault(Operations.itemCollections).first { $0.id == "My_work" }?.count == 1)
        #expect(try await vault(Operations.removeCollection, "My_work") == [item.place])
        #expect(try await vault(Operations.itemSearch, ItemSearch(inTrash: true)).open == [item.place])
        #expect(!(try await vault(Operations.itemCollections).contains { $0.id == "My_work" }))
        await #expect(throws: VaultError.item(.fixedCollection)) {
            try await vault(Operations.removeCollection, "login")
        }
        await #expect(throws: VaultError.item(.unknownCollection)) {
            _ = try await vault(Operations.makeItem, making("x", [:], in: "My_work"))
        }
    }

    @Test func `an import is one commit, and knows what is there`() async throws {
        let clock = TestClock()
        let person = try await Person("Alice", clock: clock, backend: .carried)
        let vault = person.vault
        let first = [
            try imported("1", ["a": "1"]), try imported("2", ["a": "2"], in: "work"),
            try imported("1", ["a": "1"]),
        ]
        let before = try person.store.read { $0.generation }
        let trial = try await vault.importItems(ItemImport(first), isTrial: true)
        #expect(trial.map(\.act) == [.added, .added, .known] && trial.allSatisfy { $0.place == nil })
        #expect(try person.store.read { $0.generation } == before)
        let taken = try await vault.importItems(ItemImport(first, labels: ["work": "Work"]))
        #expect(taken.map(\.act) == [.added, .added, .known] && taken[0].place == taken[2].place)
        #expect(try person.store.read { $0.generation } == before + 1)
        #expect(try await vault(Operations.itemCollections).first { $0.id == "work" }?.label == "Work")
        let second = [try imported("1", ["a": "1"]), try imported("3", ["a": "2"], in: "work")]
        #expect(try await vault.importItems(ItemImport(second)).map(\.act) == [.known, .differs])
        #expect(
            try await vault.importItems(ItemImport(second, updates: true)).map(\.act) == [.known, .versioned]
        )
        let id = try #require(taken[1].place?.id)
        #expect(try await get(id, vault) == "3")
        #expect(try await vault(Operations.itemVersions, id) == [1, 2])
        #expect(try await vault.itemViews([id]).first?.details?.owner == nil)
    }

    @Test func `an import takes what fits, and says what finds no room`() async throws {
        let vault = try await Person("Alice", clock: TestClock()).vault
        for number in 0..<ItemLimits.collections - 1 {
            _ = try await vault(Operations.setCollection, CollectionChange(label: "c\(number)"))
        }
        let items = [
            try imported("1", ["a": "1"], in: "w1"), try imported("2", ["a": "2"], in: "w2"),
            try imported("3", ["a": "3"], in: "c0"), try imported("4", ["a": "4"]),
        ]
        let trial = try await vault.importItems(ItemImport(items), isTrial: true)
        #expect(trial.map(\.act) == [.added, .noRoom, .added, .added])
        let taken = try await vault.importItems(ItemImport(items))
        #expect(taken.map(\.act) == [.added, .noRoom, .added, .added] && taken[1].place == nil)
        #expect(try await !vault(Operations.itemCollections).contains { $0.id == "w2" })
        // A second time it is the same.
        #expect(
            try await vault.importItems(ItemImport(items)).map(\.act) == [.known, .noRoom, .known, .known]
        )
    }

    @Test func `an import keeps times and content type, and takes no time that is still to come`()
        async throws
    {
        let clock = TestClock()
        let vault = try await Person("Alice", clock: clock).vault
        let old = try imported("1", ["a": "1"], contentType: "text/html", created: 1_000, modified: 2_000)
        let early = try imported("2", ["a": "2"], created: clock.now + 9_000, modified: clock.now + 9_000)
        let taken = try await vault.importItems(ItemImport([old, early]))
        let views = try await vault.itemViews(taken.compactMap { $0.place?.id })
        #expect(views.map(\.created) == [1_000, clock.now])
        #expect(views.map(\.contentType) == ["text/html", nil])
    }

    @Test func `of several equal items of an import the one that was changed last counts`() async throws {
        let vault = try await Person("Alice", clock: TestClock()).vault
        let items = [
            try imported("middle", ["a": "1"], modified: 200), try imported("new", ["a": "1"], modified: 300),
            try imported("old", ["a": "1"], modified: 100),
        ]
        let first = try await vault.importItems(ItemImport(items))
        #expect(first.map(\.act) == [.differs, .added, .differs])
        let id = try #require(first[1].place?.id)
        #expect(try await get(id, vault) == "new")
        // With updates all of them are kept, the newest on top; a second time nothing is new.
        let fresh = try await Person("Bob", clock: TestClock()).vault
        let all = try await fresh.importItems(ItemImport(items, updates: true))
        #expect(all.map(\.act) == [.versioned, .versioned, .added])
        let kept = try #require(all[0].place?.id)
        #expect(try await get(kept, fresh) == "new")
        #expect(try await fresh(Operations.itemVersions, kept).count == 3)
        let again = try await fresh.importItems(ItemImport(items, updates: true))
        #expect(again.map(\.act) == [.known, .known, .known])
    }

    @Test func `owner and readers are said by an operation of their own`() async throws {
        let vault = try await Person("Alice", clock: TestClock()).vault
        let id = try await vault(Operations.makeItem, making("x", [:])).place.id
        var change = ItemChange()
        change.owner = .program(try #require(ProgramIdentity("/usr/bin/git")))
        change.newReaders = [try #require(ProgramIdentity("snap:firefox"))]
        await #expect(throws: VaultError.item(.onlyByPeople)) {
            try await vault(Operations.setItem, [id], change)
        }
        let details = try #require(try await vault(Operations.setItemAccess, [id], change).first?.details)
        #expect(details.owner?.text == "/usr/bin/git" && details.readers.map(\.text) == ["snap:firefox"])
        (change.owner, change.formerReaders, change.newReaders) = (.nobody, change.newReaders, [])
        let after = try #require(try await vault(Operations.setItemAccess, [id], change).first?.details)
        #expect(after.owner == nil && after.readers == [])
        change = ItemChange()
        change.newReaders = (0..<17).compactMap { ProgramIdentity("/bin/p\($0)") }
        await #expect(throws: VaultError.item(.tooManyReaders(limit: 16))) {
            try await vault(Operations.setItemAccess, [id], change)
        }
    }

    @Test func `limits are refused before anything is written`() async throws {
        let person = try await Person("Alice", clock: TestClock(), backend: .memory)
        let vault = person.vault
        let before = try person.store.read { $0.generation }
        var large = try making("x", [:])
        large.value = try Secret(copying: [UInt8](repeating: 7, count: (1 << 20) + 1))
        let tooLong = [large, try making("x", [:], label: String(repeating: "l", count: 4_097))]
        await #expect(throws: VaultError.item(.valueTooLong(limit: 1 << 20))) {
            _ = try await vault(Operations.makeItem, tooLong[0])
        }
        await #expect(throws: VaultError.item(.badItem)) {
            _ = try await vault(Operations.makeItem, tooLong[1])
        }
        let ids = (0..<101).map { "i\($0)" }
        await #expect(throws: VaultError.item(.tooManyInCall(limit: 100))) {
            _ = try await vault.itemValues(ItemReading(ids))
        }
        await #expect(throws: VaultError.item(.unknownItem)) {
            _ = try await vault.itemValues(ItemReading(["x"]))
        }
        await #expect(throws: VaultError.item(.unknownItem)) {
            _ = try await vault(Operations.removeItem, ["../x"])
        }
        #expect(try person.store.read { $0.generation } == before)
    }
}
