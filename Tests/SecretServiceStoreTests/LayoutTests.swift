import RecordStore
import Testing
import VaultCrypto

@testable import SecretServiceStore

/// The bytes of root and pages, and how records are spread over them.
@Suite struct LayoutTests {
    private let keys: MarkKeys

    init() throws { keys = try MarkKeys(Secret(copying: Array(repeating: 9, count: 32))) }

    private func record(_ kind: String, _ name: String, size: Int = 4, revision: Revision = 3) throws
        -> StoredRecord
    {
        let info = RecordInfo(
            id: try RecordID(kind, name),
            revision: revision,
            uid: Array(repeating: 1, count: 16),
            created: 1,
            modified: 2,
            expires: 0,
            label: "L",
            attributes: .none,
            predatesRestore: false
        )
        let body = try Secret(copying: Array(repeating: 7, count: size))
        return StoredRecord(info: info, meta: MetaContent.encode(info), body: .inline(body))
    }

    private func root() throws -> Root {
        var root = Root(
            vaultID: Array(repeating: 5, count: 16),
            keys: keys,
            epoch: 2,
            generation: 7,
            floor: 3,
            mark: Array(repeating: 6, count: 16)
        )
        root.records = 3
        let page = PageReference(
            id: PageID(bytes: Array(repeating: 8, count: 8)),
            tag: Array(repeating: 4, count: 32)
        )
        root.pages = [
            Root.PageFacts(
                reference: page,
                first: try RecordID("a", "1"),
                last: try RecordID("a", "9"),
                count: 2
            )
        ]
        let (gone, there) = (try RecordID("a", "5"), try record("n", "é"))
        root.recent = [gone: .deleted(gone), there.id: .record(there)]
        root.pending = [there.id]
        return root
    }

    private func read(_ text: [UInt8]) throws -> Root? {
        try text.withBytes { text throws(StoreError) in try Root(text) }
    }

    @Test func `a root comes back as it was written`() throws {
        let root = try root()
        let again = try #require(try read(root.text().withBytes { $0.copied() }))
        #expect(again.vaultID == root.vaultID && again.position == root.position && again.floor == 3)
        #expect(again.mark == root.mark && again.records == 3 && again.pages == root.pages)
        #expect(again.pending == root.pending && again.recent.count == 2)
        let record = try #require(again.recent[try RecordID("n", "é")]?.record)
        #expect(record.info.revision == 3 && record.info.label == "L")
        #expect(try again.text().withBytes { $0.copied() } == root.text().withBytes { $0.copied() })
    }

    @Test func `content that no writer produces is refused even with the right mark`() throws {
        let text = try root().text().withBytes { $0.copied() }
        let fields = text.split(separator: 0x20)
        let content = try #require(StrictBase64.decode(fields[2]))
        func marked(_ content: [UInt8]) throws -> [UInt8] {
            try MarkedText.encode(Root.magic, [keys.key, content, keys.tag(content, .root)]).withBytes {
                $0.copied()
            }
        }
        #expect(try read(marked(content)) != nil)
        for cut in 0..<content.count { #expect(try read(marked(Array(content.prefix(cut)))) == nil) }
        #expect(try read(marked(content + [0])) == nil)
        // A count that no memory would hold.
        var endless = content
        endless.replaceSubrange(60..<64, with: [255, 255, 255, 255])
        #expect(try read(marked(endless)) == nil)
        // Any byte: another root, or a refusal, and never more.
        for index in content.indices {
            for value: UInt8 in [0, 1, 2, 127, 255] {
                var wrong = content
                wrong[index] = value
                do throws(StoreError) {
                    let bytes: [UInt8]
                    do { bytes = try marked(wrong) } catch { throw .corrupt }
                    let found = try bytes.withBytes { text throws(StoreError) in try Root(text) }
                    #expect(found == nil || found?.recent.count == 2)
                } catch {
                    #expect(error == .newerRecord)
                }
            }
        }
    }

    @Test func `a page comes back, a page of another key or place does not`() throws {
        let records = try [record("a", "1"), record("a", "2", size: 8_192)]
        let draft = try Page.draft(records, keys, .system)
        let found = try #require(
            try draft.text.withBytes { text throws(StoreError) in try Page.content(text) }
        )
        #expect(found.reference == draft.reference)
        #expect(Page.isOurs(found, keys, .page) && !Page.isOurs(found, keys, .body))
        #expect(try !Page.isOurs(found, MarkKeys.make(.system), .page))
        let again = try #require(try Page.records(found.content, floor: 4, generation: 3))
        #expect(again.map(\.id) == records.map(\.id) && again.allSatisfy(\.info.predatesRestore))
        #expect(try Page.records(found.content, floor: 0, generation: 2) == nil)
        let turned = try Page.draft(records.reversed(), keys, .system)
        let wrong = try #require(
            try turned.text.withBytes { text throws(StoreError) in try Page.content(text) }
        )
        #expect(try Page.records(wrong.content, floor: 0, generation: 3) == nil)
    }

    @Test func `records go to pages of about the same size, each text below 64 KiB`() throws {
        var root = try root()
        (root.pages, root.recent, root.pending) = ([], [:], [])
        var entries: [RecordID: Entry] = [:]
        for number in 0..<500 {
            let record = try record("s", "\(number)", size: number % 7 == 0 ? 5_000 : 500)
            entries[record.id] = .record(record)
        }
        var next = try root.next(entries, .system) { _ throws(StoreError) in ReadPages() }
        #expect(next.root.recent.isEmpty && next.gone.isEmpty && next.made.count == next.root.pages.count)
        #expect(next.made.allSatisfy { $0.text.count < 64 << 10 && $0.text.count > 16 << 10 })
        #expect(next.root.pages.reduce(0) { $0 + $1.count } == 500)
        #expect(zip(next.root.pages, next.root.pages.dropFirst()).allSatisfy { $0.last < $1.first })
        #expect(try read(next.root.text().withBytes { $0.copied() })?.pages == next.root.pages)
        // A few more are only noted; a deletion of what is nowhere is not even that.
        root = next.root
        let nowhere = try RecordID("t", "x")
        let small = try record("s", "1")
        next = try root.next([nowhere: .deleted(nowhere), small.id: .record(small)], .system) {
            _ throws(StoreError) in ReadPages()
        }
        #expect(
            next.root.recent.keys.map(\.name) == ["1"] && next.made.isEmpty && next.root.pages == root.pages
        )
    }
}
