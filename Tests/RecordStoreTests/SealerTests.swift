import RecordStore
import Support
import Testing
import VaultCrypto

/// The sealing layer over a key-value store with compare-and-swap: no SQL, no files, the same promises.
@Suite struct SealerTests {
    private let keys: VaultKeys
    private let bucket: StoreRowBucket
    private let entropy = Entropy.seeded([4])
    private let vaultID = [UInt8](repeating: 3, count: 16)

    init() throws {
        keys = try VaultKeys(vaultKey: SecretBytes(copying: [UInt8](repeating: 1, count: 32)))
        let digest = try Keyslots([]).digest(keys)
        bucket = StoreRowBucket(
            head: try HeadRow(
                HeadContent(slotDigest: digest),
                vaultID: vaultID,
                epoch: 1,
                keys: keys,
                entropy: entropy
            )
        )
    }

    private func sealer() throws -> Sealer {
        try Sealer(keys: keys, vaultID: vaultID, epoch: 1, entropy: entropy, now: { 5 })
    }

    private func put(_ sealer: Sealer, _ id: RecordID, _ text: String) throws -> Bool {
        let snapshot = bucket.snapshot
        let head = try sealer.observe(snapshot.head)
        let revision = try sealer.info(id, snapshot)?.revision ?? 0
        let draft = RecordDraft(id: id, body: try Secret(copying: Array(text.utf8)))
        let plan = try sealer.plan(
            ChangeSet(floor: head.floor, changes: [.put(draft, expecting: revision)]),
            snapshot
        )
        guard bucket.swap(snapshot.head, plan) else { return false }
        sealer.adopt(plan)
        return true
    }

    private func text(_ sealer: Sealer, _ id: RecordID) throws -> String? {
        let snapshot = bucket.snapshot
        try sealer.observe(snapshot.head)
        return try sealer.find(id, snapshot).map {
            String(decoding: $0.body.withBytes { $0.copied() }, as: UTF8.self)
        }
    }

    @Test func `two writers share a bucket, and the second of two is told`() throws {
        let (one, two) = (try sealer(), try sealer())
        let (a, b) = (try RecordID("n", "a"), try RecordID("n", "b"))
        #expect(try put(one, a, "1"))
        #expect(try put(two, b, "2"))
        #expect(try text(one, b) == "2")
        let snapshot = bucket.snapshot
        try one.observe(snapshot.head)
        let plan = try one.plan(ChangeSet(floor: 0, changes: [.delete(a, expecting: nil)]), snapshot)
        #expect(try put(two, a, "3"))
        #expect(!bucket.swap(snapshot.head, plan))
        #expect(try text(one, a) == "3")
        #expect(try sealer().generation(of: bucket) == 4)
    }

    @Test func `an old state of the bucket is refused by anyone who has seen a newer one`() throws {
        let one = try sealer()
        let id = try RecordID("n", "a")
        #expect(try put(one, id, "old"))
        let old = bucket.snapshot
        #expect(try put(one, id, "new"))
        bucket.tamper { $0 = old }
        #expect(
            throws: StoreError.rollback(
                found: Position(epoch: 1, generation: 2),
                expected: Position(epoch: 1, generation: 3)
            )
        ) { try text(one, id) }
        // After a failed write the rows are forgotten, but not how new the bucket was.
        one.forget()
        #expect(throws: StoreError.self) { try text(one, id) }
        #expect(try text(sealer(), id) == "old")
    }

    @Test func `a row that is removed, planted or replaced is noticed, warm and cold`() throws {
        let warm = try sealer()
        let (a, b) = (try RecordID("n", "a"), try RecordID("n", "b"))
        #expect(try put(warm, a, "1"))
        let old = bucket.snapshot.rows
        #expect(try put(warm, a, "2"))
        #expect(try put(warm, b, "3"))
        let good = bucket.snapshot
        let id = try #require(old.keys.first)
        for change in [
            { (rows: inout [RowID: SealedRow]) in rows[id] = nil },
            { (rows: inout [RowID: SealedRow]) in rows[id] = old[id] },
        ] {
            bucket.tamper { change(&$0.rows) }
            for reader in [warm, try sealer()] {
                #expect(throws: StoreError.tampered(.recordSet(lane: id.lane))) { try text(reader, a) }
                #expect(throws: StoreError.tampered(.recordSet(lane: id.lane))) { try put(reader, a, "4") }
                #expect(throws: StoreError.tampered(.recordSet(lane: id.lane))) {
                    try reader.list(nil, where: .none, bucket.snapshot)
                }
            }
            bucket.tamper { $0 = good }
        }
        #expect(try text(warm, a) == "2")
    }

    @Test func `rows that come out of order or twice are no set`() throws {
        struct Doubled: RowSource {
            let base: StoreRowBucket.Snapshot

            func row(_ id: RowID, withBody: Bool) throws(StoreError) -> SealedRow? {
                try base.row(id, withBody: withBody)
            }

            func eachSeal(
                inLane lane: Int,
                _ visit: (RawSpan, RawSpan) throws(StoreError) -> Void
            ) throws(StoreError) {
                for _ in 0..<3 { try base.eachSeal(inLane: lane, visit) }
            }

            func eachMeta(
                _ visit: (RawSpan, RawSpan, RawSpan) throws(StoreError) -> Void
            ) throws(StoreError) {
                for _ in 0..<3 { try base.eachMeta(visit) }
            }
        }
        let writer = try sealer()
        let id = try RecordID("n", "a")
        #expect(try put(writer, id, "1"))
        // Three times the same element has the same sum as once.
        let reader = try sealer()
        let source = Doubled(base: bucket.snapshot)
        try reader.observe(source.base.head)
        #expect(throws: StoreError.self) { try reader.find(id, source) }
        #expect(throws: StoreError.self) { try reader.list(nil, where: .none, source) }
    }

    @Test func `what changes the slots proves the present ones first`() throws {
        let writer = try sealer()
        try writer.observe(bucket.snapshot.head)
        let planted = try Keyslots([
            SlotRow(number: 1, kind: .recovery, params: [], proof: [], sealed: [], note: [])
        ])
        #expect(throws: StoreError.tampered(.slots)) { try writer.plan(slots: planted, replacing: planted) }
        let plan = try writer.plan(slots: planted, replacing: Keyslots([]))
        #expect(bucket.swap(bucket.snapshot.head, plan))
        #expect(try sealer().generation(of: bucket) == 2)
    }

    @Test func `rows hide everything but their size class`() throws {
        let writer = try sealer()
        #expect(try put(writer, RecordID("secret-kind", "secret-name"), "secret-body"))
        let row = try #require(bucket.snapshot.rows.values.first)
        #expect(row.seal.count == 80 && row.meta.count == 128 && row.body.count == 128)
        #expect(try put(writer, RecordID("secret-kind", "secret-name"), "secret-body"))
        let again = try #require(bucket.snapshot.rows.values.first)
        #expect(
            again.id == row.id && again.seal != row.seal && again.meta != row.meta && again.body != row.body
        )
    }
}

extension Sealer {
    fileprivate func generation(of bucket: StoreRowBucket) throws -> UInt64 {
        try observe(bucket.snapshot.head).generation
    }
}
