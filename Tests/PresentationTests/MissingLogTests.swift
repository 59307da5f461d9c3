import Presentation
import RecordStore
import Testing

@Suite struct MissingLogTests {
    private static func rollback(_ found: UInt64, _ expected: UInt64, epoch: UInt32 = 1) -> StoreError {
        .rollback(
            found: Position(epoch: 1, generation: found),
            expected: Position(epoch: epoch, generation: expected)
        )
    }

    @Test(arguments: [(7 as UInt64, "1 commit OLDER"), (10, "4 commits OLDER")])
    func `an older file without a log tells how much is missing, and what to look for`(
        newest: UInt64,
        words: String
    ) throws {
        let error = Self.rollback(6, newest)
        let text = try #require(MissingLog.explanation(error, of: "/home/a/vault.hsipvault"))
        #expect(text.name == "rollback" && text.exitCode == 11)
        #expect(text.message.contains("the vault is \(words) than the one last seen here"))
        #expect(text.message.hasSuffix("or vault.hsipvault-wal is missing"))
        #expect(text.hint?.hasPrefix("put vault.hsipvault-wal from the file's old folder beside") == true)
        #expect(text.hint?.hasSuffix("hsip vault restore --accept-rollback") == true)
    }

    @Test func `nothing is said of a log where it cannot be what is missing`() {
        for error in [Self.rollback(6, 9, epoch: 2), Self.rollback(6, 6), .fork, .corrupt] {
            #expect(MissingLog.explanation(error, of: "/v") == nil)
        }
    }
}
