import FileStore
import RecordStore
import Support
import Testing

/// The damages that were measured when repair was designed: at least as much is saved.
@Suite struct RepairTableTests {
    private static let page = 4_096
    /// The measurements were made with 10,000; what is lost does not depend on that.
    private static let records = 2_000

    /// All in the file.
    private static let many = Result {
        try RepairBench(
            stride(from: 0, to: records, by: 500).map { start in
                try (start..<min(start + 500, records)).map { try RepairBench.login($0) }
            },
            checkpoints: true
        )
    }

    private var bench: RepairBench
    private var backup: String { bench.backup }

    init() throws {
        bench = try Self.many.get()
    }

    /// The pages whose first bytes of content are these.
    private func pages(_ type: UInt8) -> [Int] {
        let file = bench.file ?? []
        return (0..<file.count / Self.page).filter { file[$0 * Self.page + ($0 == 0 ? 100 : 0)] == type }
    }

    /// Whether a page has a mark somewhere.
    private func holds(_ mark: [UInt8], _ page: Int) -> Bool {
        guard let bytes = bench.file?[page * Self.page..<(page + 1) * Self.page] else { return false }
        return bytes.indices.dropLast(mark.count).contains { bytes[$0..<$0 + mark.count].elementsEqual(mark) }
    }

    private mutating func zero(page: Int, _ count: Int = 1) {
        let range = page * Self.page..<(page + count) * Self.page
        bench.file?.replaceSubrange(range, with: [UInt8](repeating: 0, count: range.count))
    }

    /// Repairs without writing, and compares with what is hoped for.
    private func expect(
        saved: Int,
        lanes: Int,
        named: Int = 0,
        isOpenedByBackup: Bool = false,
        _ report: SalvageReport,
        _ kept: Set<RepairBench.Version>
    ) {
        #expect(kept.isSubset(of: bench.present))
        #expect(kept.count == report.kept)
        #expect(kept.count >= saved)
        #expect(report.vouchedLanes >= lanes)
        #expect(report.isComplete == (kept == bench.present && report.head != nil))
        #expect(report.lost.count + (report.unnamedLost ?? 0) + kept.count >= Self.records)
    }

    @Test mutating func `a sound file is saved whole`() throws {
        let (report, found, kept) = try bench.repair()
        #expect(kept == bench.present)
        #expect(report.isComplete)
        #expect(found.generation == bench.generation + 1)
        #expect(found.floor == found.generation)
    }

    @Test mutating func `page 1 zeroed: all is saved`() throws {
        zero(page: 0)
        let (report, found, kept) = try bench.repair()
        expect(saved: Self.records, lanes: 128, report, kept)
        #expect(report.isComplete)
        #expect(found.records == Self.records)
    }

    @Test mutating func `the root page of the records zeroed: only its own rows are gone`() throws {
        let roots = pages(0x02)
        let root = try #require(roots.first)
        zero(page: root)
        let (report, kept) = try bench.look()
        expect(saved: Self.records - 10, lanes: 118, report, kept)
        #expect(!report.isComplete)
        #expect(report.unnamedLost == Self.records - kept.count)
    }

    @Test mutating func `4 pages zeroed: their rows are gone`() throws {
        let leaves = pages(0x0A)
        for number in 0..<4 { zero(page: leaves[leaves.count * (number + 1) / 5]) }
        let (report, kept) = try bench.look()
        expect(saved: Self.records - 40, lanes: 120, report, kept)
        #expect(!report.isComplete)
    }

    @Test mutating func `the head overwritten: all rows are saved, vouched for only by a backup`() throws {
        for page in pages(0x0D) where holds([0x2C, 0x09, 0xA1, 0x4E], page) {
            bench.file?[(page + 1) * Self.page - 500] ^= 1
        }
        var (report, kept) = try bench.look()
        #expect(kept == bench.present)
        #expect(report.head == nil && report.vouchedLanes == 0 && !report.isComplete)
        #expect(report.toCompare.count == Self.records)
        (report, kept) = try bench.look(with: [backup])
        #expect(kept == bench.present)
        #expect(report.lanesAsInBackup == [0: 128])
    }

    @Test mutating func `the page of the slots zeroed: the slots of a backup open it`() throws {
        // Sealed keys of both lengths.
        for mark: [UInt8] in [[0x4C, 0x81, 0x1C], [0x4C, 0x81, 0x5C]] {
            for page in pages(0x0D) where holds(mark, page) { zero(page: page) }
        }
        #expect(refusal { _ = try bench.look() } == .noSuchSlot)
        let (report, kept) = try bench.look(with: [backup])
        #expect(kept == bench.present)
        #expect(report.isComplete && report.vouchedLanes == 128)
    }

    @Test mutating func `the file cut in half: what is left of it is saved`() throws {
        let size = bench.file?.count ?? 0
        bench.file?.removeLast(size / 2)
        let (report, kept) = try bench.look()
        #expect(kept.isSubset(of: bench.present))
        #expect(kept.count >= Self.records * 45 / 100)
        #expect(!report.isComplete)
    }

    @Test mutating func `5 % of all sectors zeroed: the rows between them are saved, and names are told`()
        throws
    {
        var generator = SeededGenerator(seed: 5)
        let sectors = (bench.file?.count ?? 0) / 512
        for _ in 0..<sectors / 20 {
            let start = generator.number(in: 0...sectors - 1) * 512
            bench.file?.replaceSubrange(start..<start + 512, with: [UInt8](repeating: 0, count: 512))
        }
        let (report, kept) = try bench.look(with: [backup])
        #expect(kept.isSubset(of: bench.present))
        #expect(kept.count >= Self.records * 89 / 100)
        #expect(report.lost.count > 0)
        #expect(!report.isComplete)
        // The backup has what is missing.
        let (whole, all) = try bench.look(with: [backup], takesMissing: true)
        #expect(all == bench.present)
        #expect(whole.fromBackup.count == Self.records - kept.count)
        #expect(whole.isComplete == (whole.head != nil))
    }

    @Test mutating func `one bit in a body: that record is told by its name`() throws {
        let leaf = try #require(pages(0x0A).last)
        // The last byte of a page is the end of the body that was written first.
        bench.file?[leaf * Self.page + Self.page - 1] ^= 0x10
        let (report, kept) = try bench.look()
        expect(saved: Self.records - 1, lanes: 127, report, kept)
        #expect(report.lost.count == 1)
        #expect(bench.present.subtracting(kept).map(\.id) == report.lost.told.map(\.id))
    }

    @Test mutating func `the cell pointers of 60 pages at random: nothing is lost by that`() throws {
        var generator = SeededGenerator(seed: 60)
        let leaves = pages(0x0A)
        for _ in 0..<60 {
            let page = leaves[generator.number(in: 0...leaves.count - 1)]
            bench.file?.replaceSubrange(
                page * Self.page + 8..<page * Self.page + 16,
                with: generator.bytes(8)
            )
        }
        let (report, kept) = try bench.look()
        expect(saved: Self.records - 5, lanes: 123, report, kept)
    }

    @Test mutating func `3 pages and 512 bytes cut out, the rest moved up: the rest is found`() throws {
        let leaves = pages(0x0A)
        let start = leaves[leaves.count / 4] * Self.page
        bench.file?.removeSubrange(start..<start + 3 * Self.page + 512)
        let (report, kept) = try bench.look()
        expect(saved: Self.records - 30, lanes: 118, report, kept)
        #expect(!report.isComplete)
    }
}
