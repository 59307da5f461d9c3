import RecordStore
import Support
import Testing
import VaultCrypto

/// Bytes of a row that someone with the keys wrote badly: refused, never misread, never a crash.
@Suite struct RecordCodecTests {
    private let keys: VaultKeys
    private let entropy = Entropy.seeded([8])
    private let id: RecordID

    init() throws {
        keys = try VaultKeys(vaultKey: SecretBytes(copying: [UInt8](repeating: 1, count: 32)))
        id = try RecordID("login", "github")
    }

    private func head(_ generation: UInt8) throws -> HeadContent {
        var bytes = HeadContent(slotDigest: [UInt8](repeating: 0, count: 32)).encoded
        bytes[8] = generation
        return try #require(bytes.withBytes { HeadContent($0) })
    }

    private func row(meta packed: [UInt8], _ rowID: RowID) throws -> SealedRow {
        let nonce = entropy.bytes(24)
        let box = try XChaCha20Poly1305.seal(
            packed,
            key: keys.named[1].key,
            nonce: nonce,
            authenticating: Array("HSIP-VAULT/1 meta\0".utf8) + rowID.bytes
        )
        return SealedRow(
            id: rowID,
            seal: nonce + box.tag + [UInt8](repeating: 0, count: 40),
            meta: box.ciphertext,
            body: []
        )
    }

    private func packed(_ row: SealedRow) throws -> [UInt8] {
        try XChaCha20Poly1305.open(
            row.meta,
            tag: row.seal[24..<40],
            key: keys.named[1].key,
            nonce: row.seal[..<24],
            authenticating: Array("HSIP-VAULT/1 meta\0".utf8) + row.id.bytes
        ).withBytes { $0.copied() }
    }

    private func valid() throws -> SealedRow {
        let store = StoreRowBucket(
            head: try HeadRow(
                HeadContent(slotDigest: Keyslots([]).digest(keys)),
                vaultID: [UInt8](repeating: 3, count: 16),
                epoch: 1,
                keys: keys,
                entropy: entropy
            )
        )
        let sealer = try Sealer(
            keys: keys,
            vaultID: [UInt8](repeating: 3, count: 16),
            epoch: 1,
            entropy: entropy,
            now: { 5 }
        )
        try sealer.observe(store.snapshot.head)
        let attributes = try Attributes(["host": "github.com", "user": "me"])
        let draft = RecordDraft(
            id: id,
            label: "GitHub",
            attributes: attributes,
            body: try Secret(copying: [1, 2])
        )
        let plan = try sealer.plan(ChangeSet(floor: 0, changes: [.put(draft, expecting: 0)]), store.snapshot)
        return try #require(plan.inserts.first)
    }

    @Test func `a row comes back as it went in`() throws {
        var codec = try RecordCodec(keys: keys)
        let row = try valid()
        let info = try codec.openMeta(row, head: head(2))
        #expect(info.id == id && info.label == "GitHub" && info.revision == 2)
        #expect(info.attributes.all.map(\.name) == ["host", "user"])
        #expect(try codec.openBody(row, revision: 2).withBytes { $0.copied() } == [1, 2])
        #expect(throws: StoreError.tampered(.body(row: row.id.bytes))) {
            try codec.openBody(row, revision: 3)
        }
        #expect(throws: StoreError.tampered(.meta(row: row.id.bytes))) {
            try codec.openMeta(row, head: head(1))
        }
    }

    @Test func `a meta that was changed and sealed again is refused or is another whole truth`() throws {
        let good = try valid()
        let plain = try packed(good)
        try forAll(
            "a changed meta",
            runs: 1_500,
            generate: { generator -> [UInt8] in
                var bytes = plain
                for _ in 0..<generator.number(in: 1...4) {
                    bytes[generator.number(in: 0...127)] = generator.bytes(1)[0]
                }
                return generator.oneIn(8) ? Array(bytes.prefix(generator.number(in: 0...127))) : bytes
            },
            check: { bytes in
                var codec = try RecordCodec(keys: keys)
                do {
                    let info = try codec.openMeta(row(meta: bytes, good.id), head: head(255))
                    return info.id == id && bytes.count == 128
                } catch StoreError.tampered(.meta(row: good.id.bytes)) {
                    return true
                } catch StoreError.newerRecord {
                    return bytes[5] != 1
                }
            }
        )
    }

    @Test func `a meta is padded with zeros to its size class, and nothing else`() throws {
        var codec = try RecordCodec(keys: keys)
        let good = try valid()
        let plain = try packed(good)
        var changed = plain
        changed[127] = 1
        var shorter = plain
        shorter[3] -= 1
        for bytes in [changed, shorter, plain + [UInt8](repeating: 0, count: 128), Array(plain.prefix(127))] {
            #expect(throws: StoreError.tampered(.meta(row: good.id.bytes))) {
                try codec.openMeta(row(meta: bytes, good.id), head: head(2))
            }
        }
        #expect(try codec.openMeta(row(meta: plain, good.id), head: head(2)).label == "GitHub")
    }

    @Test func `metas beyond the limit are refused before they are opened`() throws {
        var codec = try RecordCodec(keys: keys)
        let good = try valid()
        let long = SealedRow(
            id: good.id,
            seal: good.seal,
            meta: [UInt8](repeating: 0, count: 73_729),
            body: good.body
        )
        #expect(throws: StoreError.tampered(.meta(row: good.id.bytes))) {
            try codec.openMeta(long, head: head(2))
        }
    }

    @Test func `a longer meta after a shorter one is read alone`() throws {
        var codec = try RecordCodec(keys: keys)
        let row = try valid()
        for _ in 0..<3 {
            #expect(try codec.openMeta(row, head: head(2)).label == "GitHub")
            #expect(throws: StoreError.self) {
                try codec.openMeta(self.row(meta: [UInt8](repeating: 1, count: 4_096), row.id), head: head(2))
            }
        }
    }

    @Test func `a machine that draws the same again seals no two records under one nonce`() throws {
        let repeating = Entropy { [UInt8](repeating: 9, count: $0) }
        func info(_ label: String, revision: Revision = 1) throws -> RecordInfo {
            let draft = RecordDraft(
                id: id,
                label: label,
                attributes: try Attributes([:]),
                body: try Secret(copying: [0])
            )
            return draft.written(over: nil, revision: revision, at: 5, repeating)
        }
        func seal(_ info: RecordInfo, _ body: [UInt8]) throws -> SealedRow {
            var codec = try RecordCodec(keys: keys)
            return try codec.seal(info, body: try Secret(copying: body), entropy: repeating)
        }
        let first = try seal(info("a"), [1])
        #expect(try seal(info("a"), [1]) == first)
        let otherBody = try seal(info("a"), [2])
        #expect(otherBody.seal[40..<64] != first.seal[40..<64])
        // The revision is authenticated with the body, so another one is another message.
        let later = try seal(info("a", revision: 2), [1])
        #expect(later.seal[..<24] != first.seal[..<24] && later.seal[40..<64] != first.seal[40..<64])
        #expect(try seal(info("b"), [1]).seal[..<24] != first.seal[..<24])
    }
}
