import Testing

@testable import HSIP

struct Bech32mTests {
    /// BIP-350, "valid test vectors".
    private static let valid = [
        "A1LQFN3A",
        "a1lqfn3a",
        "an83characterlonghumanreadablepartthatcontainsthetheexcludedcharactersbioandnumber11sg7hg6",
        "abcdef1l7aum6echk45nj3s0wdvt2fg8x9yrzpqzd3ryx",
        "11llllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllludsr8",
        "split1checkupstagehandshakeupstreamerranterredcaperredlc445v",
        "?1v759aa",
    ]

    /// BIP-350, "invalid test vectors", without the one that is only too long; the last two are mixed case.
    private static let invalid = [
        "\u{20}1xj0phk",
        "\u{7F}1g6xzxy",
        "\u{80}1vctc34",
        "qyrz8wqd2c9m",
        "1qyrz8wqd2c9m",
        "y1b0jsk6g",
        "lt1igcx5c0",
        "in1muywd",
        "mm1crxm3i",
        "au1s5cgom",
        "M1VUXWEZ",
        "16plkw9",
        "1p2gdwpf",
        "A1lqfn3a",
        "abcdef1l7auM6echk45nj3s0wdvt2fg8x9yrzpqzd3ryx",
    ]

    /// BIP-173, valid under the constant of plain bech32.
    private static let plain = [
        "A12UEL5L",
        "a12uel5l",
        "abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw",
        "split1checkupstagehandshakeupstreamerranterredcaperred2y9e3w",
        "?1ezyfcl",
    ]

    @Test(arguments: valid)
    func `a valid text of BIP-350 is read`(text: String) throws {
        let parts = try #require(Bech32m.parts(of: Array(text.utf8)))
        #expect(
            parts.hrp == Array(text.lowercased().prefix(upTo: try #require(text.lastIndex(of: "1"))).utf8)
        )
    }

    @Test(arguments: invalid)
    func `an invalid text of BIP-350 is refused`(text: String) {
        #expect(Bech32m.parts(of: Array(text.utf8)) == nil)
    }

    @Test(arguments: plain)
    func `the checksum of plain bech32 is refused`(text: String) {
        #expect(Bech32m.parts(of: Array(text.utf8)) == nil)
    }

    @Test func `ninety characters are no limit`() {
        let text =
            "an84characterslonghumanreadablepartthatcontainsthetheexcludedcharactersbioandnumber11d6pts4"
        #expect(text.utf8.count == 91)
        #expect(Bech32m.parts(of: Array(text.utf8)) != nil)
    }

    @Test func `4,096 characters are the limit`() throws {
        // hrp 1, separator 1, checksum 6: 4,088 characters carry 2,555 bytes
        let longest = Bech32m.encode([UInt8](repeating: 7, count: 2555), hrp: "x")
        #expect(longest.count == 4096)
        #expect(Bech32m.parts(of: longest) != nil)
        let tooLong = Bech32m.encode([UInt8](repeating: 7, count: 2556), hrp: "x")
        #expect(Bech32m.parts(of: tooLong) == nil)
        let values = tooLong.dropFirst(2).compactMap { Bech32m.value(of: $0) }
        #expect(Bech32m.decode(values, hrp: Array("x".utf8)) == nil)
    }

    @Test(arguments: 0...20)
    func `any number of bytes comes back`(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 77 &+ 200) }
        let text = Bech32m.encode(bytes, hrp: "verify")
        let parts = try #require(Bech32m.parts(of: text))
        #expect(Bech32m.bytes(of: parts.values) == bytes)
        #expect(text.count == 7 + Bech32m.characterCount(ofBytes: count))
    }

    @Test func `bits left over must be zero and fewer than five`() {
        #expect(Bech32m.bytes(of: []) == [])
        #expect(Bech32m.bytes(of: [31, 28]) == [255])
        #expect(Bech32m.bytes(of: [31, 29]) == nil)
        #expect(Bech32m.bytes(of: [31, 30]) == nil)
        #expect(Bech32m.bytes(of: [0]) == nil)
        #expect(Bech32m.bytes(of: [31, 28, 0]) == nil)
    }
}
