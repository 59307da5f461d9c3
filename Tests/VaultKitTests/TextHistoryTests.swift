import RecordStore
import Secrets
import Support
import Testing
import VaultCrypto
@testable import VaultKit

/// The history of texts under a typed key, on every store.
struct TextHistoryTests {
    private func entry(_ base64: String = "AAAA", _ action: TextEntry.Action = .encrypt) throws -> TextEntry {
        try TextEntry(action, .gcm, base64: base64)
    }

    @Test(arguments: Backend.allCases)
    func `nothing is remembered until it is switched on, nor after it is switched off`(
        backend: Backend
    ) async throws {
        let clock = TestClock()
        let alice = try await Person("Alice", clock: clock, backend: backend)
        #expect(try await alice.vault(Operations.noteText, try entry()).isOn == false)
        #expect(try await alice.vault(Operations.textHistory).items.isEmpty)
        #expect(try await alice.vault(Operations.setTextHistory, true).isOn)
        #expect(try await alice.vault(Operations.noteText, try entry("AAAA")).count == 1)
        clock.advance(by: 5)
        let other = alice.secondProcess()
        #expect(try await other(Operations.noteText, try entry("BBBB", .decrypt)).count == 2)
        let history = try await alice.vault(Operations.textHistory)
        #expect(history.isOn && history.items.map(\.number) == [1, 2])
        #expect(history.items.map(\.entry.text) == ["gcm:AAAA", "gcm:BBBB"])
        #expect(history.items.map(\.entry.action) == [.encrypt, .decrypt])
        #expect(history.items[1].time == history.items[0].time + 5)
        #expect(try await alice.vault(Operations.setTextHistory, false).count == 2)
        #expect(try await alice.vault(Operations.noteText, try entry("CCCC")).count == 2)
        #expect(try await alice.vault(Operations.textHistory).items.count == 2)
    }

    @Test func `switching off what was never on writes nothing`() async throws {
        let alice = try await Person("Alice", clock: TestClock())
        #expect(try await alice.vault(Operations.setTextHistory, false).count == 0)
        #expect(try await alice.vault(Operations.clearTextHistory) == 0)
        let kind = try RecordKind("text.history")
        let found = try alice.store.read { (reader) throws(StoreError) in try reader.list(kind).count }
        #expect(found == 0)
    }

    @Test func `of more than a hundred the oldest goes, and no number comes twice`() async throws {
        let vault = try await Person("Alice", clock: TestClock()).vault
        _ = try await vault(Operations.setTextHistory, true)
        for number in 1...103 {
            _ = try await vault(Operations.noteText, try entry(String(repeating: "A", count: number)))
        }
        #expect(try await vault(Operations.textHistory).items.map(\.number) == Array(4...103))
        #expect(try await vault(Operations.forgetTexts, [103, 4]).count == 98)
        #expect(try await vault(Operations.clearTextHistory) == 98)
        _ = try await vault(Operations.noteText, try entry())
        let history = try await vault(Operations.textHistory)
        #expect(history.isOn && history.items.map(\.number) == [104])
    }

    @Test func `a number that no one has forgets nothing`() async throws {
        let vault = try await Person("Alice", clock: TestClock()).vault
        _ = try await vault(Operations.setTextHistory, true)
        _ = try await vault(Operations.noteText, try entry())
        await #expect(throws: VaultError.text(.unknownEntry)) {
            try await vault(Operations.forgetTexts, [1, 2])
        }
        #expect(try await vault(Operations.textHistory).items.count == 1)
    }

    @Test func `of a long text the beginning is kept, and how long it was`() async throws {
        let vault = try await Person("Alice", clock: TestClock()).vault
        _ = try await vault(Operations.setTextHistory, true)
        let long = String(repeating: "Ab1+", count: 2_000)
        _ = try await vault(Operations.noteText, try TextEntry(.decrypt, .ctr, base64: long))
        let kept = try #require(try await vault(Operations.textHistory).items.first?.entry)
        #expect(kept.isCut && kept.length == 8_000 && kept.algorithm == .ctr)
        #expect(kept.text == "ctr:" + long.prefix(TextEntry.longestKept))
        #expect(try entry(String(repeating: "A", count: TextEntry.longestKept)).isCut == false)
    }

    @Test(arguments: ["", "gcm:AAAA", "AAAA BBBB", "plaintext, perhaps", "caf\u{E9}", "AA\n"])
    func `what is no base64 is not remembered`(text: String) throws {
        #expect(throws: TextHistoryError.badEntry) { try entry(text) }
    }

    @Test func `a hundred of the longest stay below half a MiB`() throws {
        var history = TextHistory()
        let long = try entry(String(repeating: "A", count: TextEntry.longestText))
        for _ in 0..<120 { try history.add(long, at: .max) }
        #expect(try history.content().count < 512 << 10)
        #expect(try TextHistory(content: try history.content()) == history)
    }

    @Test func `a commit that fails remembers nothing, and says so`() async throws {
        let alice = try await Person("Alice", clock: TestClock())
        _ = try await alice.vault(Operations.setTextHistory, true)
        try alice.faulty().fail(atCommit: try alice.faulty().commits + 1, .before)
        await #expect(throws: (any Error).self) { try await alice.vault(Operations.noteText, try entry()) }
        #expect(try await alice.vault(Operations.textHistory).items.isEmpty)
    }

    /// A content of two entries, and where its fields are.
    private func sample() throws -> [UInt8] {
        var history = TextHistory()
        history.isOn = true
        try history.add(try entry("AAAA"), at: 7)
        try history.add(try entry("BBBBBBBB", .decrypt), at: 8)
        return try history.content().withBytes { $0.copied() }
    }

    @Test func `the content is the one of the page`() throws {
        let bytes = try sample()
        #expect(bytes.prefix(14) == [1, 1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 2])
        #expect(
            bytes[14..<44] == [
                0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 4, 0, 0, 0, 4, 0x41, 0x41,
                0x41, 0x41,
            ]
        )
    }

    @Test func `a content that is cut anywhere, or goes on, is refused`() throws {
        let bytes = try sample()
        for count in bytes.indices {
            #expect(throws: TextHistoryError.malformed) {
                try TextHistory(content: try Secret(copying: Array(bytes[..<count])))
            }
        }
        #expect(throws: TextHistoryError.malformed) {
            try TextHistory(content: try Secret(copying: bytes + [0]))
        }
    }

    @Test(arguments: [
        (0, 2), (1, 2), (9, 2), (9, 0), (13, 101), (13, 3), (21, 0), (21, 2), (30, 2), (31, 3), (35, 0),
        (35, 3), (39, 5),
        (40, 0x3A),
    ])
    func `a content with a wrong field is refused`(place: Int, value: UInt8) throws {
        var bytes = try sample()
        bytes[place] = value
        let wanted: TextHistoryError = place == 0 ? .unsupportedVersion(2) : .malformed
        #expect(throws: wanted) { try TextHistory(content: try Secret(copying: bytes)) }
    }

    @Test(arguments: [
        TextHistoryError.unknownEntry, .badEntry, .malformed, .unsupportedVersion(2), .outOfMemory,
    ])
    func `every refusal is carried to a client`(error: TextHistoryError) throws {
        #expect(try Loopback.carried(.text(error)) == .text(error))
    }
}
