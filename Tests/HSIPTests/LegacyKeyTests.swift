import HSIP
import Testing
import VaultCrypto

/// Keys that come from older programs.
struct LegacyKeyTests {
    private let key = Hash.sha256(Array("a real key".utf8))

    private func read(_ text: String) -> HSIPError? {
        refusal { () throws(HSIPError) in _ = try LegacyKey.read(Array(text.utf8)) }
    }

    @Test func `a key is read from hexadecimal in either case and from base64`() throws {
        let hex = Hex.encode(key)
        for text in [
            hex, hex.uppercased(), StrictBase64.encode(key), "  \(hex)\r\n", StrictBase64.encode(key) + "\n",
        ] {
            expect(try LegacyKey.read(Array(text.utf8)), is: key)
        }
        expect(try LegacyKey.read(SecretBytes(copying: Array(hex.utf8))), is: key)
    }

    @Test func `every byte of every key is read as base64 and hexadecimal say`() throws {
        for seed in 0..<64 {
            let key = Hash.sha256([UInt8(seed)])
            expect(try LegacyKey.read(Array(StrictBase64.encode(key).utf8)), is: key)
            expect(try LegacyKey.read(Array(Hex.encode(key).utf8)), is: key)
        }
    }

    @Test func `text that is no key is malformed`() {
        let (hex, base64) = (Hex.encode(key), StrictBase64.encode(key))
        for text in [
            "", "  ", String(hex.dropLast()), hex + "0", "g" + hex.dropFirst(), String(base64.dropLast()),
            base64 + "=", "-" + base64.dropFirst(), String(base64.dropLast(2)) + "==", "0x" + hex,
        ] {
            #expect(read(text) == .malformed)
        }
    }

    @Test func `base64 with bits left over is malformed`() throws {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        let text = Array(StrictBase64.encode(key))
        let last = try #require(digits.firstIndex(of: text[42]))
        for more in 1...3 {
            #expect(read(String(text.prefix(42)) + String(digits[last + more]) + "=") == .malformed)
        }
    }

    @Test(arguments: [0, 1, 42, 255] as [UInt8])
    func `a key of one byte repeated is refused`(byte: UInt8) {
        let dummy = [UInt8](repeating: byte, count: 32)
        #expect(refusal { () throws(HSIPError) in try LegacyKey.check(dummy) } == .keyRefused)
        #expect(read(Hex.encode(dummy)) == .keyRefused)
        #expect(read(StrictBase64.encode(dummy)) == .keyRefused)
    }

    @Test(
        arguments: [
            Array(0...31), Array(1...32),
            Array("TEMP_SESSION_KEY_BASE64".utf8) + [UInt8](repeating: 0, count: 9),
            Array("0123456789abcdef0123456789ABCDEF".utf8),
        ] as [[UInt8]]
    )
    func `a counting or a written key is refused`(dummy: [UInt8]) {
        #expect(dummy.count == 32)
        #expect(refusal { () throws(HSIPError) in try LegacyKey.check(dummy) } == .keyRefused)
    }

    @Test func `the placeholder of an old program is refused as a key, not as bad text`() {
        #expect(read("TEMP_SESSION_KEY_BASE64") == .keyRefused)
        #expect(read("TEMP_SESSION_KEY_BASE65") == .malformed)
    }

    @Test func `a key that differs from a dummy in one byte is taken`() {
        for place in [0, 15, 31] {
            var zeros = [UInt8](repeating: 0, count: 32)
            zeros[place] = 0xC1
            #expect(refusal { () throws(HSIPError) in try LegacyKey.check(zeros) } == nil)
        }
        #expect(refusal { () throws(HSIPError) in try LegacyKey.check([1, 2, 3]) } == .malformed)
    }

    @Test func `the same key has the same name, and its ref begins the name`() throws {
        let digest = Hash.sha256(Array("HSIP-XC1/legacy".utf8) + [0] + key)
        #expect(try LegacyKey.name(of: key) == String(Hex.encode(digest).prefix(32)))
        #expect(try LegacyKey.ref(of: key) == Array(digest.prefix(8)))
        #expect(try LegacyKey.name(of: key) == LegacyKey.name(of: SecretBytes(copying: key)))
    }

    @Test func `a PeerID is read in both forms, and compared with an identity`() throws {
        let identity = try Signing.publicKey(seed: key)
        let peer = try PeerID(publicKey: identity)
        #expect(try LegacyKey.readPeerID(Array((peer.hex + "\n").utf8)) == peer)
        #expect(try LegacyKey.readPeerID(Array(StrictBase64.encode(peer.bytes).utf8)) == peer)
        let found = refusal { () throws(HSIPError) in _ = try LegacyKey.readPeerID(Array(peer.text.utf8)) }
        #expect(found == .malformed)
        #expect(LegacyKey.isIdentity(identity, of: peer))
        #expect(!LegacyKey.isIdentity(key, of: peer))
        #expect(!LegacyKey.isIdentity([], of: peer))
    }
}
