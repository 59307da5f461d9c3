import HSIP
import Testing

/// Which one of several codes in a text is meant (Schemas/hsip-xc1.md section 2, step 6).
struct SingleCodeTests {
    private let codes: [ExchangeCode]

    init() throws {
        codes = try SampleCode.some.map { sample throws(HSIPError) in try ExchangeCode(bytes: sample.bytes) }
    }

    private func text(_ codes: [ExchangeCode]) -> [UInt8] {
        Array(codes.map(\.text).joined(separator: " then ").utf8)
    }

    @Test func `a code alone is the one, own or not`() throws {
        for code in codes {
            #expect(try CodeText.single(in: text([code])) { _ in false } == code)
            #expect(try CodeText.single(in: text([code, code])) { _ in true } == code)
        }
    }

    @Test func `an own code is dropped if another remains`() throws {
        let (own, other) = (codes[0], codes[1])
        #expect(try CodeText.single(in: text([own, other])) { $0 == own } == other)
        #expect(try CodeText.single(in: text([other, own, other])) { $0 == own } == other)
        #expect(try CodeText.candidates(in: text([own, other])) { $0 == own } == [other])
    }

    @Test func `two codes are a question`() throws {
        let both = text([codes[0], codes[1]])
        #expect(throws: HSIPError.severalCodes) { try CodeText.single(in: both) { _ in false } }
        #expect(throws: HSIPError.severalCodes) { try CodeText.single(in: both) { _ in true } }
        #expect(try CodeText.candidates(in: both) { _ in false } == [codes[0], codes[1]])
        let own = codes[2]
        #expect(throws: HSIPError.severalCodes) {
            try CodeText.single(in: text([own, codes[0], codes[1]])) { $0 == own }
        }
    }

    @Test func `no code is its own error`() {
        #expect(throws: HSIPError.noCode) { try CodeText.single(in: []) { _ in false } }
        #expect(throws: HSIPError.noCode) { try CodeText.single(in: text([])) { _ in false } }
    }
}
