import Secrets
import Support
import Testing
import VaultCrypto

struct ItemContentTests {
    @Test func `contents are read as the schema says, and written as they were read`() throws {
        let cases = try #require(try vectors()["contents"] as? [[String: Any]])
        try #require(cases.count == 3)
        for vector in cases {
            let bytes = try #require((vector["content"] as? String).flatMap { Hex.decode($0) })
            let content = try ItemContent(content: try Secret(copying: bytes))
            let values = try #require(vector["values"] as? [String])
            let numbers = try #require(vector["numbers"] as? [Int]).map { UInt32($0) }
            #expect(content.numbers == numbers)
            #expect(numbers.map { content.value(of: $0).map { Hex.encode(exposed($0)) } } == values)
            #expect(Hex.encode(exposed(content.value)) == values.last)
            #expect(content.removedAt == (vector["removed"] as? Int).map { UInt64($0) })
            #expect(content.expires == (vector["expires"] as? Int).map { UInt64($0) })
            #expect(exposed(try content.content()) == bytes)
        }
    }

    @Test func `a credential that no item has is refused`() throws {
        let cases = try #require(try vectors()["badContents"] as? [[String: String]])
        try #require(cases.count == 9)
        for vector in cases {
            let bytes = try Secret(copying: Hex.decode(vector["content"] ?? "") ?? [])
            #expect(throws: ServiceError.badItem, "\(vector["note"] ?? "")") {
                try ItemContent(content: bytes)
            }
        }
    }

    @Test func `a content of a newer program is told from a broken one`() throws {
        let bytes = try Secret(copying: [2])
        #expect(throws: ServiceError.newerItem) { try ItemContent(content: bytes) }
    }

    @Test func `another value is a new version, and an equal one is none`() throws {
        var content = try ItemContent(secret("a"), at: 1_000)
        #expect(try content.set(secret("a"), at: 9_000, isSameWriter: true) == false)
        #expect(content.numbers == [1])
        #expect(try content.set(secret("b"), at: 9_000, isSameWriter: true))
        #expect(content.numbers == [1, 2])
        #expect(text(content.value) == "b")
        #expect(content.value(of: 1).map(text) == "a")
    }

    @Test func `a value that a program changes within ten minutes is not kept`() throws {
        var content = try ItemContent(secret("a"), at: 1_000)
        _ = try content.set(secret("b"), at: 1_599, isSameWriter: true)
        #expect(content.numbers == [2])
        _ = try content.set(secret("c"), at: 2_199, isSameWriter: true)
        #expect(content.numbers == [2, 3])
        // The value of another program, or one from before the clock was set back, is.
        _ = try content.set(secret("d"), at: 2_200, isSameWriter: false)
        #expect(content.numbers == [2, 3, 4])
        _ = try content.set(secret("e"), at: 100, isSameWriter: true)
        #expect(content.numbers == [2, 3, 4, 5])
    }

    @Test func `nine values before the present one are kept, and 64 KiB of them`() throws {
        var content = try ItemContent(secret("first"), at: 0)
        for number in 1...20 {
            _ = try content.set(secret("\(number)"), at: UInt64(number) * 1_000, isSameWriter: true)
        }
        #expect(content.numbers == Array(12...21))
        let half = String(repeating: "x", count: 32 << 10)
        for number in 21...24 {
            _ = try content.set(secret(half + "\(number)"), at: UInt64(number) * 1_000, isSameWriter: true)
        }
        // One of 32 KiB and two bytes has no room for another one beside it.
        #expect(content.numbers == [24, 25])
        let large = String(repeating: "x", count: 65 << 10)
        _ = try content.set(secret(large), at: 25_000, isSameWriter: true)
        #expect(content.numbers == [25, 26])
        _ = try content.set(secret("small"), at: 26_000, isSameWriter: true)
        #expect(content.numbers == [27])
    }

    @Test func `a change leaves trash and end as they are`() throws {
        let bytes = try #require(try vectors()["contents"] as? [[String: Any]])[2]["content"] as? String
        var content = try ItemContent(content: try Secret(copying: Hex.decode(bytes ?? "") ?? []))
        _ = try content.set(secret("x"), at: 10_000, isSameWriter: false)
        #expect(content.removedAt == 9)
        #expect(content.expires == 11)
        #expect(content.numbers == [3, 7, 8])
    }

    @Test func `a value above 1 MiB is refused, and the old one stays`() throws {
        var content = try ItemContent(secret("a"), at: 0)
        let long = try Secret(SecretBytes(count: 1 << 20 | 1))
        #expect(throws: ServiceError.valueTooLong(limit: 1 << 20)) {
            _ = try content.set(long, at: 1, isSameWriter: true)
        }
        #expect(text(content.value) == "a")
        #expect(content.numbers == [1])
        #expect(throws: ServiceError.valueTooLong(limit: 1 << 20)) { try ItemContent(long, at: 0) }
    }

    private func secret(_ text: String) throws -> Secret { try Secret(copying: Array(text.utf8)) }

    private func text(_ secret: Secret) -> String { String(decoding: exposed(secret), as: UTF8.self) }

    private func exposed(_ secret: Secret) -> [UInt8] { secret.withBytes { $0.copied() } }

    private func vectors() throws -> [String: Any] {
        try #require(try StoreVectors.load("items.json") as? [String: Any])
    }
}
