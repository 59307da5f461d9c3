import Testing
import VaultCrypto

struct ConstantTimeTests {
    @Test(arguments: [0, 1, 16, 33])
    func `equal bytes are equal in whatever holds them`(count: Int) throws {
        let bytes = [UInt8].counting(count)
        #expect(ConstantTime.equal(bytes, bytes))
        #expect(ConstantTime.equal(try SecretBytes(copying: bytes), bytes[...]))
        #expect(ConstantTime.equal(bytes, try Secret(copying: bytes)))
    }

    @Test func `one bit makes a difference`() {
        let bytes = [UInt8].counting(16)
        for bit in 0..<128 {
            var changed = bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!ConstantTime.equal(bytes, changed))
        }
    }

    @Test(arguments: [0, 15, 17])
    func `another length is a difference`(count: Int) {
        #expect(!ConstantTime.equal([UInt8](repeating: 0, count: 16), [UInt8](repeating: 0, count: count)))
    }
}
