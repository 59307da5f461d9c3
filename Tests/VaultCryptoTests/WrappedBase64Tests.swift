import Testing
import VaultCrypto

struct WrappedBase64Tests {
    @Test(arguments: 0...70)
    func `it agrees with the other base64`(count: Int) throws {
        let bytes = [UInt8].counting(count, from: 200)
        let text = exposed(try SecretBase64.encode(bytes))
        #expect(text == StrictBase64.encodedBytes(bytes))
        #expect(exposed(try SecretBase64.decode(wrapped: text)) == bytes)
    }

    @Test func `white space is passed over`() throws {
        #expect(exposed(try SecretBase64.decode(wrapped: Array(" A\r\nQ\tI\nD\n".utf8))) == [1, 2, 3])
    }

    @Test(arguments: ["A", "AQ", "AQI", "AQ=", "AR==", "AQI=A", "AQI==", "AQ\u{0}I", "AQ-_", "===="])
    func `anything else is refused`(text: String) {
        #expect(throws: CryptoError.malformedText) { _ = try SecretBase64.decode(wrapped: Array(text.utf8)) }
    }
}
