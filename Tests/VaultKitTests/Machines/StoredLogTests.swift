import RecordStore
import SharedLog
import Support
import Testing
import VaultCrypto

@testable import VaultKit

/// What a vault keeps of its log is what it had, and only what changed is written.
struct StoredLogTests {
    private let store: any Store
    private let keys: MachineKeys
    private let log = LogID(digest: [UInt8](repeating: 3, count: 16))

    init() throws {
        store = MemoryStore(entropy: .system, now: { 1_800_000_000_000 })
        keys = try MachineKeys(entropy: .seeded([7]))
    }

    private var signer: EntrySigner { EntrySigner(keys: keys, time: 1, generation: 1, entropy: .system) }

    private func stored() throws -> StoredLog? {
        var found: StoredLog?
        try store.read { reader throws(StoreError) in
            do { found = try StoredLog(reader) } catch { throw (error as? StoreError) ?? .notFound }
        }
        return found
    }

    /// How many records a commit changes.
    @discardableResult
    private func commit(_ log: StoredLog) throws -> [String] {
        let changes = try log.changes()
        guard !changes.isEmpty else { return [] }
        _ = try store.commit(ChangeSet(floor: 0, changes: changes))
        return changes.map { "\($0.id.kind.rawValue)" }
    }

    private func object(_ number: UInt8) throws -> SharedObject {
        try SharedObject(
            kind: 1,
            id: ObjectID(digest: [number] + [UInt8](repeating: 1, count: 15)),
            name: "secret \(number)",
            content: Secret(copying: [number])
        )
    }

    private func founded(_ objects: [SharedObject]) throws -> StoredLog {
        let founded = try LogBook.founding(log, name: "laptop", objects: objects, signer)
        var stored = StoredLog(
            LogSelf(
                keys: keys,
                name: "laptop",
                address: (1, "file:///tmp/vault.git"),
                stage: .member,
                epoch: LogSelf.Epoch(log: log, number: 1, key: founded.book.key)
            )
        )
        stored.book = founded.book
        stored.out = LogOut(founded.entries, revisions: [try object(1).id: 41])
        for object in objects {
            guard let line = founded.book.state[object.id] else { continue }
            stored.index[object.id] = LogIndex.Row(line, ["a".registerDigest], revision: 41)
        }
        return stored
    }

    @Test func `a vault without a log has none`() throws { #expect(try stored() == nil) }

    @Test func `a log that was founded is read back whole`() throws {
        let objects = try (0..<30).map { try object($0) }
        let before = try founded(objects)
        try commit(before)
        let after = try #require(try stored())
        #expect(after.me.keys.id == keys.id && after.me.name == "laptop" && after.me.stage == .member)
        #expect(after.me.address.carrier == 1 && after.me.address.text == "file:///tmp/vault.git")
        let (old, new) = (try #require(before.book), try #require(after.book))
        #expect(new.head == old.head && new.ownPlace == old.ownPlace && new.newestWhole == old.newestWhole)
        #expect(new.state.digest(epoch: 1) == old.state.digest(epoch: 1))
        #expect(after.out?.entries == before.out?.entries && after.out?.revisions == before.out?.revisions)
        #expect(after.index.rows.map(\.row) == before.index.rows.map(\.row))
        #expect(try after.changes().isEmpty)
        // It goes on as the one before would.
        let change = try new.change([.put(try object(40))], signer)
        var (first, second) = (old, new)
        var facts = EntryContext(boxSecrets: [keys.boxSecret], generation: 1)
        facts.sent = Set(change.map(\.head.hash))
        _ = try first.take(change[0].bytes, facts)
        _ = try second.take(change[0].bytes, facts)
        #expect(first.state.digest(epoch: 1) == second.state.digest(epoch: 1))
    }

    @Test func `one change writes its bucket and the head, however many objects there are`() throws {
        try commit(try founded(try (0..<200).map { try object($0) }))
        var next = try #require(try stored())
        var book = try #require(next.book)
        let change = try book.change([.put(try object(3))], signer)
        var facts = EntryContext(boxSecrets: [keys.boxSecret], generation: 1)
        facts.sent = Set(change.map(\.head.hash))
        _ = try book.take(change[0].bytes, facts)
        let line = try #require(book.state[try object(3).id])
        (next.book, next.out) = (book, nil)
        next.index[try object(3).id] = LogIndex.Row(line, ["b".registerDigest], revision: 42)
        #expect(try commit(next) == ["log.head", "log.out", "log.index"])
        #expect(try stored()?.out == nil)
        // An object that goes takes the record of its bucket along.
        var last = try #require(try stored())
        last.index[try object(3).id] = nil
        #expect(try commit(last) == ["log.index"])
        #expect(last.index.rows.count == 199)
        // What the index says by now is not what the head says.
        #expect(throws: (any Error).self) { _ = try stored() }
    }

    @Test func `a removed machine keeps no key, and a JOIN waits`() throws {
        for stage in [
            LogSelf.Stage.asked(join: [1, 2, 3]), .admitted(LogHead(place: 4, hash: [UInt8](1...32))),
        ] {
            let epoch = stage == .asked(join: [1, 2, 3]) ? nil : LogSelf.Epoch(log: log, number: 2, key: nil)
            let me = LogSelf(keys: keys, name: "web1", address: (0, ""), stage: stage, epoch: epoch)
            let read = try LogSelf(content: try me.content())
            #expect(read.stage == stage && read.epoch?.log == epoch?.log && read.epoch?.key == nil)
        }
    }

    @Test(arguments: 0..<120) func `a content that is cut off or goes on is refused`(size: Int) throws {
        let stored = try founded([try object(1)])
        let position = LogPosition(try #require(stored.book))
        for content in [try stored.me.content(), try position.content()] {
            guard size < content.count else { continue }
            let cut = try Secret(copying: content.withBytes { Array($0.copied().prefix(size)) })
            #expect(throws: LogError.self) { try LogSelf(content: cut) }
            #expect(throws: LogError.self) { try LogPosition(content: cut) }
        }
        var index = LogIndex()
        let whole = try #require(try stored.index.content(of: 1)).withBytes { $0.copied() }
        guard size > 1, size < whole.count else { return }
        #expect(throws: LogError.self) { try index.load(1, try Secret(copying: Array(whole.prefix(size)))) }
        #expect(throws: LogError.self) { try index.load(2, try Secret(copying: whole)) }
    }
}
