import Testing
import VaultCrypto

@testable import Commands

/// What a masked program shows of values, however its output is cut.
@Suite struct MaskerTests {
    /// What is shown of a text that comes in pieces of a size.
    private func shown(_ text: String, in size: Int, hiding values: [String]) throws -> String {
        var masker = try Masker(try values.map { try Secret(copying: Array($0.utf8)) })
        let bytes = Array(text.utf8)
        var shown: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            shown += masker.take(bytes[start..<min(bytes.count, start + size)])
        }
        shown += masker.end()
        return String(decoding: shown, as: UTF8.self)
    }

    @Test(
        arguments: [
            ("<sesame>", ["sesame"], "<****>"),
            ("sesamesesame", ["sesame"], "********"),
            ("sesam sesame", ["sesame"], "sesam ****"),
            ("ssesame", ["sesame"], "s****"),
            ("abcdef abcd", ["abcd", "abcdef"], "**** ****"),
            ("abcdeX", ["abcd", "abcdef"], "****eX"),
            ("abcde", ["abcd", "abcdef"], "****e"),
            ("line\nfeed", ["line\nfeed\r\n"], "****"),
            ("nothing here", ["sesame", "", "abc"], "nothing here"),
            ("abc abcd", ["abc", "abcd\n"], "abc ****"),
            // The end of one value is the beginning of the next: no byte of either is shown.
            ("abcdefghi", ["abcdef", "defghi"], "****"),
            ("xababababx", ["abab"], "x****x"),
            ("abcdefgh", ["abcd", "efgh"], "********"),
            ("abcdefghiXghi", ["abcdefghi", "cdef"], "****Xghi"),
            ("", ["sesame"], ""),
        ]
    )
    func `values are blotted out, whatever pieces the text comes in`(
        text: String,
        values: [String],
        wanted: String
    ) throws {
        for size in 1...12 {
            #expect(try shown(text, in: size, hiding: values) == wanted, "in pieces of \(size)")
        }
    }

    @Test func `what is the beginning of a value is shown once it turns out to be none`() throws {
        var masker = try Masker([try Secret(copying: Array("sesame".utf8))])
        #expect(masker.take(Array("open ses".utf8)[...]) == Array("open ".utf8))
        #expect(masker.take(Array("t".utf8)[...]) == Array("sest".utf8))
        #expect(masker.take(Array("sesam".utf8)[...]) == [])
        #expect(masker.end() == Array("sesam".utf8))
        #expect(masker.end() == [])
    }

    @Test(arguments: [
        ("123", true), ("1", true), ("123\n", true), ("1234", false), ("", false), ("\n", false),
    ])
    func `a value that is too short to be blotted out is told apart`(value: String, passes: Bool) throws {
        #expect(Masker.passes(try Secret(copying: Array(value.utf8))) == passes)
    }

    @Test func `every byte may be in a value`() throws {
        var masker = try Masker([try Secret(copying: Array(0...255))])
        var shown: [UInt8] = []
        for byte in Array<UInt8>(0...255) + Array<UInt8>(0...254) { shown += masker.take([byte]) }
        #expect(shown + masker.end() == Array("****".utf8) + Array(0...254))
    }
}
