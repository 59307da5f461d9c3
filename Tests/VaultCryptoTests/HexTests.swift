import Testing
import VaultCrypto

struct HexTests {
    @Test func `every byte comes back from its two digits`() {
        let bytes = [UInt8].counting(256)
        #expect(Hex.decode(Hex.encode(bytes)) == bytes)
        #expect(Hex.decode(Hex.encode(bytes).uppercased()) == bytes)
        #expect(Hex.encode([0, 0x0F, 0xA5]) == "000fa5")
    }

    @Test(arguments: ["0", "000", "0g", "g0", "0x", " 0", "00 ", "é", "٠٠"])
    func `what is not an even number of digits is refused`(text: String) {
        #expect(Hex.decode(text) == nil)
    }
}
