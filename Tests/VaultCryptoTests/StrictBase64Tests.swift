import Testing
import VaultCrypto

struct StrictBase64Tests {
    // RFC 4648 section 10, and the two letters that the URL alphabet changes.
    @Test(
        arguments: zip(
            ["", "f", "fo", "foo", "foob", "fooba", "foobar", "???>>>"],
            ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy", "Pz8/Pj4+"]
        )
    )
    func `text is as RFC 4648 prints it`(plain: String, text: String) {
        let bytes = Array(plain.utf8)
        #expect(StrictBase64.encode(bytes) == text)
        #expect(StrictBase64.encodedBytes(bytes) == Array(text.utf8))
        #expect(StrictBase64.decode(Array(text.utf8)) == bytes)
    }

    @Test(arguments: 0...200)
    func `bytes of every length come back`(count: Int) throws {
        let bytes = Entropy.seeded([1]).bytes(count)
        let text = StrictBase64.encode(bytes)
        #expect(text.utf8.count == (count + 2) / 3 * 4)
        #expect(StrictBase64.decode(Array(text.utf8)) == bytes)
        #expect(StrictBase64.decode(StrictBase64.encodedBytes(bytes[...])[...]) == bytes)
    }

    @Test(
        arguments: [
            // Bits beyond the end that are not zero
            "AB==", "AP==", "AAB=", "AAD=", "Zm9vYh==", "Zm9vYmF=",
            // Too much, too little or misplaced padding
            "AAAA====", "====", "A===", "=AAA", "AA=A", "AAA", "AA", "A", "AA=", "Zg==Zg==", "AAAA=", "=",
            // White space
            " AAAA", "AAAA ", "AA AA", "AAAA\n", "AAAA\r\n", "AAAA\r\nAAAA", "\tAAA", "AAA\u{0}",
            // The URL alphabet and what is in neither
            "-___", "Pz8_", "Pj4-", "AA.A", "AAé", "AAAA*AAA", "A,AA",
        ])
    func `another spelling is refused`(text: String) {
        #expect(StrictBase64.decode(Array(text.utf8)) == nil)
    }

    @Test(arguments: [0, 1, 2, 3, 4, 5, 6, 7])
    func `every byte outside the alphabet is refused at every place`(place: Int) {
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        for byte in UInt8.min...UInt8.max where !alphabet.contains(byte) {
            var text = Array("AAAAAAAA".utf8)
            text[place] = byte
            // A pad in the last place is the one legal exception.
            let isLegal = byte == 0x3D && place == 7
            #expect((StrictBase64.decode(text) != nil) == isLegal)
        }
    }

    @Test func `a text that decodes is the text that encodes`() {
        // All quads of a small alphabet: what is accepted comes back letter for letter.
        let letters = Array("AQgw=B/".utf8)
        for number in 0..<letters.count * letters.count * letters.count * letters.count {
            let quad = [343, 49, 7, 1].map { letters[number / $0 % 7] }
            guard let bytes = StrictBase64.decode(quad) else { continue }
            #expect(StrictBase64.encodedBytes(bytes) == quad)
        }
    }
}
