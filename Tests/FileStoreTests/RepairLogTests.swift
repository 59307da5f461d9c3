import FileStore
import RecordStore
import Support
import Testing
import VaultCrypto

/// Vaults whose newest commits are in their log: records that change, go, and have secrets that fill many pages.
@Suite struct RepairLogTests {
    /// 200 logins and ten notes up to a mebibyte, of which some are written again and some deleted.
    private static let mixed = Result {
        var commits = try stride(from: 0, to: 200, by: 20).map { start in
            try (start..<start + 20).map { try RepairBench.login($0) }
        }
        for number in 0..<10 { commits.append([try RepairBench.note(number, bytes: 700 << number)]) }
        for number in 0..<40 { commits.append([try RepairBench.login(number * 5, 1)]) }
        for number in 0..<8 {
            commits.append([.delete(try RecordID("login", "site-\(number * 7)"), expecting: nil)])
        }
        commits.append([try RepairBench.note(4, bytes: 30_000, 1)])
        return try RepairBench(commits, checkpoints: false)
    }

    private var bench: RepairBench

    init() throws {
        bench = try Self.mixed.get()
    }

    @Test mutating func `both sound: nothing is missing, and what was deleted is left out by the sums`()
        throws
    {
        #expect(bench.log != nil)
        let (report, found, kept) = try bench.repair()
        #expect(kept == bench.present)
        #expect(report.isComplete)
        #expect(found.records == bench.present.count)
    }

    @Test mutating func `the log lost: the state of the checkpoint, and it is said that more was there`()
        throws
    {
        bench.log = nil
        let (report, kept) = try bench.look()
        #expect(!report.isComplete)
        #expect(report.head.map { $0.generation < bench.generation } ?? true)
        #expect(report.head == nil || report.lostCommits > 0)
        #expect(kept != bench.present)
    }

    @Test mutating func `the file lost, the log there: what the log has, opened by a backup`() throws {
        bench.file = nil
        let (report, kept) = try bench.look(with: [bench.backup])
        #expect(kept.count > 0)
        #expect(report.isComplete == (kept == bench.present))
        let (whole, all) = try bench.look(with: [bench.backup], takesMissing: true)
        #expect(all == bench.present)
        #expect(whole.isComplete)
    }

    @Test mutating func `a page of a long secret overwritten in the log: its name is told`() throws {
        // The last image of the page that the last note overflows into.
        let log = try #require(bench.log)
        let frames = (log.count - 32) / 4_120
        let overflow = (0..<frames).filter { frame in
            let page = log[(32 + frame * 4_120 + 24)...].prefix(4_096)
            return ![0x02, 0x05, 0x0A, 0x0D].contains(page.first) && page.prefix(4) != [0, 0, 0, 0]
        }
        let last = try #require(overflow.last)
        for index in 100..<200 { bench.log?[32 + last * 4_120 + 24 + index] ^= 0xFF }
        let (report, kept) = try bench.look()
        #expect(!report.isComplete)
        #expect(kept != bench.present)
        #expect(
            report.lost.told.map(\.id.kind.rawValue) + report.older.told.map(\.id.kind.rawValue) == ["note"]
        )
    }

    @Test(arguments: UInt8(1)...16)
    func `a key slot is found whatever bytes stand before it`(seed: UInt8) throws {
        let vault = try ScratchVault(seed)
        let other = Unlock.recovery(try Secret(copying: [UInt8](repeating: seed, count: 16)))
        let slots = [try ScratchVault.slot(), NewSlot(other, label: "other")]
        _ = try FileStore.create(
            at: vault.paths,
            slots: slots,
            entropy: vault.entropy,
            now: { ScratchVault.now }
        )
        let repairing = try Repairing.begin(
            vault.paths.vault,
            into: nil,
            with: [],
            anchorFolder: vault.paths.anchorFolder,
            known: [],
            entropy: .system,
            now: { ScratchVault.now }
        )
        let opened = try repairing.open(.recovery(ScratchVault.code()))
        #expect(opened.slotCount == 2)
        let report = try repairing.look(opened, takesMissing: false, isCompared: { _ in true })
        #expect(report.isComplete)
    }

    @Test mutating func `a file with nothing of a vault in it is none`() throws {
        bench.log = nil
        bench.file = [UInt8](repeating: 0x5A, count: 100_000)
        #expect(refusal { _ = try bench.look() } == .notAVault)
        bench.file = []
        #expect(refusal { _ = try bench.look() } == .notAVault)
        bench.file = nil
        #expect(refusal { _ = try bench.look() } == .notFound)
    }

    @Test mutating func `a wrong secret opens nothing, and a backup of another vault is refused`() throws {
        let other = try RepairBench([[try RepairBench.login(1)]], checkpoints: true, isOther: true)
        do {
            _ = try bench.look(with: [other.backup])
            Issue.record("a backup of another vault was taken")
        } catch let refusal as RepairRefusal {
            #expect(refusal == .otherBackup(path: other.backup))
        }
        let wrong = Unlock.recovery(try Secret(copying: [UInt8](repeating: 9, count: 16)))
        #expect(refusal { _ = try bench.look(unlock: wrong) } == .wrongSecret)
        let passphrase = Unlock.passphrase(try Secret(copying: Array("a passphrase".utf8)))
        #expect(refusal { _ = try bench.look(unlock: passphrase) } == .noSuchSlot)
    }
}
