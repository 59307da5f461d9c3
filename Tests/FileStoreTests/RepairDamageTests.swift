import FileStore
import RecordStore
import Support
import Testing

/// A thousand accidents at random: no row that was never written, none with another body, and it is called complete only
/// if it is.
@Suite struct RepairDamageTests {
    /// A small vault that has seen most of what a vault sees.
    private static let small = Result {
        var commits: [[Change]] = [try (0..<24).map { try RepairBench.login($0) }]
        commits.append([try RepairBench.note(0, bytes: 700), try RepairBench.note(1, bytes: 9_000)])
        for number in 0..<6 { commits.append([try RepairBench.login(number, 1)]) }
        commits.append([.delete(try RecordID("login", "site-20"), expecting: nil)])
        commits.append([try RepairBench.note(1, bytes: 5_000, 1)])
        return try RepairBench(commits, checkpoints: false)
    }
    private static let settled = Result {
        var commits: [[Change]] = [try (0..<24).map { try RepairBench.login($0) }]
        commits.append([try RepairBench.note(0, bytes: 3_000)])
        commits.append([.delete(try RecordID("login", "site-3"), expecting: nil)])
        return try RepairBench(commits, checkpoints: true)
    }

    private static let seed: UInt64 = 16_000

    @Test(arguments: 0..<10)
    func `a thousand random damages give no row that was not written, and completeness is told rightly`(
        part: Int
    ) throws {
        let benches = [try Self.small.get(), try Self.settled.get()]
        var complete = 0
        for number in 0..<100 {
            let seed = Self.seed + UInt64(part * 100 + number)
            var generator = SeededGenerator(seed: seed)
            var bench = benches[generator.oneIn(3) ? 1 : 0]
            Self.damage(&bench, &generator)
            do {
                let backups = generator.oneIn(3) ? [bench.backup] : []
                let takesMissing = generator.oneIn(2)
                let (report, kept) = try bench.look(with: backups, takesMissing: takesMissing)
                if report.isComplete { complete += 1 }
                let isWhole =
                    kept == bench.present && report.head?.generation == bench.generation
                    && report.areSlotsVouched
                #expect(report.isComplete == isWhole, "seed \(seed): \(report)")
                if number == 7 {
                    let written = try bench.repair(with: backups, takesMissing: takesMissing)
                    #expect(written.kept == kept, "seed \(seed)")
                    #expect(written.found.records == kept.count, "seed \(seed)")
                }
            } catch StoreError.noSuchSlot, StoreError.notAVault, StoreError.wrongSecret, StoreError.notFound {
                // Nothing that opens is left.
            } catch {
                Issue.record(error, "seed \(seed)")
            }
        }
        // Some damages hit nothing that counts.
        #expect(complete < 100)
    }

    /// One to four accidents.
    private static func damage(_ bench: inout RepairBench, _ generator: inout SeededGenerator) {
        for _ in 0..<generator.number(in: 1...4) {
            if generator.oneIn(2) {
                damage(&bench.file, &generator)
            } else {
                damage(&bench.log, &generator)
            }
        }
    }

    private static func damage(_ bytes: inout [UInt8]?, _ generator: inout SeededGenerator) {
        guard var changed = bytes, changed.count > 10_000 else { return }
        let start = generator.number(in: 0...changed.count - 1)
        let end = min(changed.count, start + generator.number(in: 1...9_000))
        switch generator.number(in: 0...9) {
        case 0: changed.replaceSubrange(start..<end, with: [UInt8](repeating: 0, count: end - start))
        case 1: changed.replaceSubrange(start..<end, with: generator.bytes(end - start))
        case 2: changed[start] ^= UInt8(1 << generator.number(in: 0...7))
        case 3: changed.removeSubrange(start..<end)
        case 4: changed.removeLast(changed.count - start)
        case 5: changed.insert(contentsOf: generator.bytes(end - start), at: start)
        case 6:
            // A page over another one.
            let (from, to) = (
                start / 4_096 * 4_096, generator.number(in: 0...changed.count / 4_096 - 1) * 4_096
            )
            guard from + 4_096 <= changed.count else { return }
            changed.replaceSubrange(to..<to + 4_096, with: Array(changed[from..<from + 4_096]))
        case 7:
            for sector in 0..<changed.count / 512 where generator.oneIn(20) {
                changed.replaceSubrange(
                    sector * 512..<(sector + 1) * 512,
                    with: [UInt8](repeating: 0, count: 512)
                )
            }
        case 8: changed.replaceSubrange(start..<end, with: [UInt8](repeating: 0x2C, count: end - start))
        default:
            if generator.oneIn(3) {
                bytes = nil
                return
            }
            // A mark of a row where none is.
            for (index, byte) in [0x0A, 0x2C, 0x81, 0x2C, 0x82, 0x0C].enumerated()
            where start + index < changed.count {
                changed[start + index] = UInt8(byte)
            }
        }
        bytes = changed
    }
}
