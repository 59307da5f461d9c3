import Presentation
import Testing
import VaultCrypto

/// What the process that empties the clipboard knows: enough to know the secret again, not enough to tell it.
@Suite struct ClipboardMarkTests {
    private func mark(_ text: String, seconds: UInt32 = 30) throws -> ClipboardMark {
        try ClipboardMark(of: Array(text.utf8), seconds: seconds, entropy: .system)
    }

    @Test func `it covers what was copied, to the byte`() throws {
        let mark = try mark("sesame")
        #expect(mark.covers(Array("sesame".utf8)))
        for other in ["", "sesame\n", "Sesame", "sesam", "sesamesesame"] {
            #expect(!mark.covers(Array(other.utf8)))
        }
        #expect(try self.mark("").covers([]))
    }

    @Test func `it comes through a pipe as it was, and is not the same twice`() throws {
        let (one, two) = (try mark("sesame", seconds: 3_599), try mark("sesame"))
        #expect(one.encoded.count == ClipboardMark.size)
        #expect(one.encoded.prefix(64) != two.encoded.prefix(64))
        let read = try #require(ClipboardMark(encoded: one.encoded))
        #expect(read.seconds == 3_599 && read.covers(Array("sesame".utf8)))
        #expect(!read.covers(Array("other".utf8)))
        let bytes = Array("sesame".utf8)
        #expect(!one.encoded.indices.contains { one.encoded[$0...].starts(with: bytes) })
    }

    @Test func `a time above an hour is an hour, and none that comes from elsewhere`() throws {
        #expect(try mark("x", seconds: .max).seconds == ClipboardMark.longest)
        var encoded = try mark("x", seconds: ClipboardMark.longest).encoded
        #expect(ClipboardMark(encoded: encoded) != nil)
        encoded[64] = 1
        #expect(ClipboardMark(encoded: encoded) == nil)
    }

    @Test(arguments: [0, 1, 64, 67, 69, 136]) func `anything of another size is none`(count: Int) {
        #expect(ClipboardMark(encoded: [UInt8](repeating: 0, count: count)) == nil)
    }
}
