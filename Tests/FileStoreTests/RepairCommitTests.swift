import FileStore
import RecordStore
import Support
import Testing
import VaultCrypto

/// Logs that end within a commit: what was not committed takes the place of nothing, unless someone knows that it was.
@Suite struct RepairCommitTests {
    /// 200 logins, of which the last commit writes every one again, and as many more.
    private static func bench() throws -> RepairBench {
        try RepairBench(
            [
                (0..<200).map { try RepairBench.login($0) },
                [.delete(try RecordID("login", "site-3"), expecting: nil)],
                (0..<400).map { try RepairBench.login($0, 1) },
            ],
            checkpoints: false
        )
    }

    @Test(arguments: [true, false])
    func `a commit that did not end is left out, and nothing is called lost`(keepsHead: Bool) throws {
        var bench = try Self.bench()
        try bench.openLastCommit(isKnown: false, keepsHead: keepsHead)
        let (report, found, kept) = try bench.repair()
        #expect(kept == bench.present && kept.count == 199)
        #expect(report.isComplete)
        #expect(report.leftOut == 201)
        #expect(found.generation == bench.generation + 1)
    }

    @Test func `a commit that the anchor knows of counts, though its end is damaged`() throws {
        var bench = try Self.bench()
        try bench.openLastCommit(isKnown: true, keepsHead: true)
        let (report, kept) = try bench.look()
        #expect(kept == bench.present && kept.count == 400)
        #expect(report.isComplete)
    }

    @Test func `where the head of a known commit is lost, too, that a commit is missing is told`() throws {
        var bench = try Self.bench()
        try bench.openLastCommit(isKnown: true, keepsHead: false)
        let (report, kept) = try bench.look()
        #expect(kept.isDisjoint(with: bench.present) && kept.count == 199)
        #expect(!report.isComplete && report.lostCommits == 1)
    }
}
