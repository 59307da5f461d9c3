import RecordStore
import Secrets
import Support
import Testing
import VaultCrypto
import VaultPolicy

@testable import VaultKit

/// What an open vault knows of its items without reading.
struct ItemMemoryTests {
    private let fixture = ItemVault()

    /// The vault as another process has it open.
    private var another: any VaultService {
        LocalService(Vault(store: fixture.store, clock: { [fixture] in fixture.clock.now }))
    }

    @Test func `commits of another process are found at the next look`() async throws {
        let first = try await fixture.store("1", ["a": "1"]).place
        #expect(try await fixture.found().open == [first.id])
        let second = try await another(Operations.makeItem, making("2", ["a": "2"])).place
        #expect(try await fixture.found(["a": "2"]).asked == [second.id])
        var change = ItemChange()
        change.attributes = try itemAttributes(["a": "3"])
        _ = try await another(Operations.setItem, [first.id], change)
        #expect(try await fixture.found(["a": "1"]).open.isEmpty)
        #expect(try await fixture.found(["a": "3"]).open == [first.id])
        _ = try await another(Operations.removeItem, [first.id])
        #expect(try await fixture.found().open.isEmpty)
    }

    @Test func `its own commits leave the items in memory what a new look finds`() async throws {
        let ids = try await [
            fixture.store("1", ["a": "1"]).place.id, fixture.store("2", ["a": "2"]).place.id,
            fixture.store("3", ["a": "3"], by: ItemVault.browser).place.id,
        ]
        _ = try await fixture.call(
            Operations.setCollection,
            CollectionChange(label: "Work"),
            by: ItemVault.git
        )
        _ = try await fixture.own(Operations.removeItem, [ids[1]])
        let kept = try #require(await fixture.vault.items.loaded)
        let read = try fixture.store.read { (reader) throws(StoreError) in reader.generation }
        #expect(kept.generation == read)
        let fresh = try await Vault(store: fixture.store, clock: { 1_800_000_000 }).loadedItems()
        #expect(Set(kept.index.all) == Set(fresh.index.all) && kept.index.count == 2)
        #expect(kept.removed == fresh.removed && kept.collections == fresh.collections)
        #expect(kept.counts == fresh.counts)
        #expect(kept.owned == fresh.owned)
        // Another commit of this vault that touches no item leaves them where they are, too.
        var change = CredentialChange()
        try change.put("value", in: "password")
        _ = try await fixture.own(Operations.setCredential, "x", change)
        #expect(await fixture.vault.items.loaded?.generation == read + 1)
    }

    @Test func `five thousand items are found, read, changed and removed`() async throws {
        let items = try (0..<5_000).map { number in
            try imported("value \(number)", ["user": "u\(number % 50)", "n": "\(number)"])
        }
        let taken = try await fixture.own.importItems(ItemImport(items))
        #expect(taken.allSatisfy { $0.act == .added } && Set(taken.map(\.place)).count == 5_000)
        #expect(try await fixture.found().asked.count == 5_000)
        #expect(try await fixture.found(["user": "u7"]).asked.count == 100)
        #expect(try await fixture.found(["user": "u7", "n": "57"]).asked == [taken[57].place?.id])
        let ids = taken.compactMap { $0.place?.id }
        #expect(try await fixture.own.itemViews(ids).count == 5_000)
        var change = ItemChange()
        change.owner = .program(try #require(ProgramIdentity("/usr/bin/git")))
        _ = try await fixture.own(Operations.setItemAccess, ids, change)
        #expect(try await fixture.found().open.count == 5_000)
        #expect(try await fixture.value(ids[4_999]) == "value 4999")
        _ = try await fixture.own(Operations.removeItem, Array(ids.prefix(2)))
        #expect(try await fixture.found().open.count == 4_998)
    }

    @Test func `a search that finds nothing does not hide an item that cannot be read`() async throws {
        let place = try await fixture.store("v", ["a": "1"]).place
        let id = try RecordID(ItemRecord.kind, place.id)
        try put(id, ["collection": "login", "later": "x"])
        await #expect(throws: VaultError.item(.unreadable)) { _ = try await fixture.found(["a": "1"]) }
        await #expect(throws: VaultError.item(.badItem)) {
            _ = try await fixture.own.itemValues(ItemReading([place.id]))
        }
        await #expect(throws: VaultError.item(.unreadable)) {
            _ = try await fixture.call(Operations.itemApplicationKey, "org.a.B", by: ItemVault.git)
        }
        // What can be read is found all the same.
        let other = try await fixture.store("w", ["a": "2"]).place.id
        #expect(try await fixture.found(["a": "2"]).open == [other])
    }

    @Test func `a damaged record is no empty answer either`() async throws {
        let place = try await fixture.store("v", ["a": "1"]).place
        let store = DamagedItems(fixture.store, try RecordID(ItemRecord.kind, place.id))
        let vault = LocalService(Vault(store: store, clock: { [fixture] in fixture.clock.now }))
        await #expect(throws: VaultError.item(.unreadable)) {
            _ = try await vault(Operations.itemSearch, ItemSearch(itemAttributes(["a": "1"])))
        }
    }

    @Test func `the trash empties itself after thirty days, and never of what was just removed`() async throws
    {
        _ = try await fixture.own(Operations.createIdentity, "Alice")
        let old = try await fixture.store("1", ["a": "1"]).place.id
        _ = try await fixture.own(Operations.removeItem, [old])
        try await fixture.own.live(31 * 86_400, by: fixture.clock)
        let new = try await fixture.store("2", ["a": "2"]).place.id
        _ = try await fixture.own(Operations.removeItem, [new])
        #expect(
            try await fixture.own(Operations.itemSearch, ItemSearch(inTrash: true)).open.map(\.id) == [new]
        )
    }

    @Test func `items with the most attributes are told in several answers`() async throws {
        let long = String(repeating: "v", count: 4_096)
        let many = Dictionary(uniqueKeysWithValues: (0..<13).map { ("n\($0)", long) })
        let items = try (0..<200).map { try imported("x", many.merging(["n": "\($0)"]) { old, _ in old }) }
        let ids = try await fixture.own.importItems(ItemImport(items)).compactMap { $0.place?.id }
        #expect(try await fixture.own.itemViews(["none"] + ids + ["none"]).map(\.place.id) == ids)
        let one = try await fixture.call(Operations.itemFacts, ids, by: ItemVault.git)
        #expect(!one.isEmpty && one.count < 200)
    }

    @Test func `a program that fills the trash lets its own items go, not another's`() async throws {
        let other = try await fixture.store("o", ["o": "1"], by: ItemVault.browser).place.id
        _ = try await fixture.call(Operations.removeItem, [other], by: ItemVault.browser)
        let items = try (0..<1_200).map { try imported("x", ["n": "\($0)"]) }
        let ids = try await fixture.own.importItems(ItemImport(items)).compactMap { $0.place?.id }
        var change = ItemChange()
        change.owner = .program(try #require(ProgramIdentity("/usr/bin/git")))
        _ = try await fixture.own(Operations.setItemAccess, ids, change)
        for start in stride(from: 0, to: 1_200, by: 300) {
            _ = try await fixture.call(
                Operations.removeItem,
                Array(ids[start..<start + 300]),
                by: ItemVault.git
            )
        }
        let trash = try await fixture.own(Operations.itemSearch, ItemSearch(inTrash: true)).open.map(\.id)
        #expect(trash.count == 1_000 && trash.contains(other))
    }

    @Test func `a value that is renewed by its program leaves few versions behind`() async throws {
        let id = try await fixture.store("0", ["a": "1"], replacing: true).place.id
        for number in 1...30 {
            fixture.clock.advance(by: 60)
            try await fixture.store("\(number)", ["a": "1"], replacing: true)
        }
        #expect(try await fixture.own(Operations.itemVersions, id).count == 1)
        for number in 1...30 {
            fixture.clock.advance(by: 601)
            try await fixture.store("later \(number)", ["a": "1"], replacing: true)
        }
        #expect(try await fixture.own(Operations.itemVersions, id).count == 10)
        #expect(try await fixture.value(id) == "later 30")
    }

    private func put(_ id: RecordID, _ attributes: [String: String]) throws {
        let changes = try fixture.store.read { (reader) throws(StoreError) in
            var changes = ChangeSet(floor: reader.floor)
            guard let found = try reader.find(id) else { return changes }
            let draft = RecordDraft(id: id, attributes: try Attributes(attributes), body: found.body)
            changes.put(draft, expecting: found.info.revision)
            return changes
        }
        try fixture.store.commit(changes)
    }
}

/// A store one of whose items is damaged.
private final class DamagedItems: Store {
    private let store: MemoryStore
    private let victim: RecordID

    init(_ store: MemoryStore, _ victim: RecordID) { (self.store, self.victim) = (store, victim) }

    var vaultID: [UInt8] { store.vaultID }

    func read<R>(_ body: (any RecordReader) throws(StoreError) -> R) throws(StoreError) -> R {
        try store.read { (reader) throws(StoreError) in
            try body(Reader(reader: reader, victim: victim))
        }
    }

    func commit(_ changes: ChangeSet) throws(StoreError) -> Revision { try store.commit(changes) }

    private struct Reader: RecordReader {
        let reader: any RecordReader
        let victim: RecordID
        var floor: UInt64 { reader.floor }
        var generation: UInt64 { reader.generation }

        func find(_ id: RecordID) throws(StoreError) -> Record? { try reader.find(id) }

        func info(_ id: RecordID) throws(StoreError) -> RecordInfo? { try reader.info(id) }

        func list(_ kind: RecordKind?, where attributes: Attributes) throws(StoreError) -> [RecordInfo] {
            try reader.list(kind, where: attributes).filter { $0.id != victim }
        }

        func survey(_ kind: RecordKind?, where attributes: Attributes) throws(StoreError) -> RecordSurvey {
            let isMeant = kind == nil || kind == victim.kind
            let records = try list(kind, where: attributes)
            let damaged = isMeant ? [DamagedRecord(victim, part: .meta)] : []
            return RecordSurvey(records: records, damaged: damaged)
        }
    }
}
