import RecordStore
import Support
import Testing
import VaultCrypto

@Suite struct MemoryStoreTests {
    private static let backend = StoreBackend(
        make: { MemoryStore(entropy: .seeded([1]), now: { 1_800_000_000_000 }) },
        reopen: { $0 },
        raiseFloor: { ($0 as? MemoryStore)?.raiseFloor() }
    )

    @Test(arguments: StorePromise.all)
    func `a store in memory keeps the contract`(promise: StorePromise) throws {
        try promise.check(Self.backend)
    }

    @Test func `a planned failure before writing leaves nothing, one after it leaves everything`() throws {
        let store = MemoryStore(entropy: .seeded([1]), now: { 1 })
        let changes = ChangeSet(
            floor: 0,
            changes: [
                .put(RecordDraft(id: try RecordID("n", "a"), body: try Secret(copying: [1])), expecting: 0)
            ]
        )
        store.fail(atCommit: 1, .before)
        #expect(throws: StoreError.commitUnknown) { try store.commit(changes) }
        #expect(try store.read { reader throws(StoreError) in try reader.list(nil) }.isEmpty)
        store.fail(atCommit: 2, .after, with: .diskFull)
        #expect(throws: StoreError.diskFull) { try store.commit(changes) }
        #expect(try store.read { reader throws(StoreError) in try reader.list(nil) }.count == 1)
        #expect(store.commits == 2)
    }
}
