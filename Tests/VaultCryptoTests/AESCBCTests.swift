import Testing
import VaultCrypto

struct AESCBCTests {
    private static let iv = [UInt8].counting(16)
    private static let text = [UInt8](
        hex: "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
            + "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
    )

    /// NIST SP 800-38A sections F.2.1, F.2.3 and F.2.5.
    @Test(arguments: [
        (
            key: "2b7e151628aed2a6abf7158809cf4f3c",
            sealed: "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
                + "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7"
        ),
        (
            key: "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
            sealed: "4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a"
                + "571b242012fb7ae07fa9baac3df102e008b0e27988598881d920a9e64f5615cd"
        ),
        (
            key: "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
            sealed: "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"
                + "39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b"
        ),
    ])
    func `blocks are as NIST prints them, both ways`(key: String, sealed: String) throws {
        let (key, sealed) = ([UInt8](hex: key), [UInt8](hex: sealed))
        #expect(exposed(try AESCBC.encrypt(Self.text, key: key, iv: Self.iv)) == sealed)
        #expect(exposed(try AESCBC.decrypt(sealed, key: key, iv: Self.iv)) == Self.text)
    }

    @Test(arguments: 0...33)
    func `any number of bytes comes back from its padding`(count: Int) throws {
        let (key, text) = ([UInt8].counting(32), [UInt8].counting(count))
        let sealed = try AESCBC.encryptPadded(text, key: key, iv: Self.iv)
        #expect(sealed.count == (count / 16 + 1) * 16)
        #expect(exposed(try AESCBC.decryptPadded(sealed, key: key, iv: Self.iv)) == text)
    }

    @Test(arguments: [[0], [17], [2, 1], [3, 2, 3]] as [[UInt8]])
    func `a wrong padding is refused`(end: [UInt8]) throws {
        let key = [UInt8].counting(16)
        let blocks = [UInt8](repeating: 9, count: 32 - end.count) + end
        let sealed = try AESCBC.encrypt(blocks, key: key, iv: Self.iv)
        // One byte of padding is right where the last byte is 1.
        guard end.last == 1 else {
            #expect(throws: CryptoError.authenticationFailed) {
                _ = try AESCBC.decryptPadded(sealed, key: key, iv: Self.iv)
            }
            return
        }
        #expect(try AESCBC.decryptPadded(sealed, key: key, iv: Self.iv).count == 31)
    }

    @Test(arguments: [(0, 16, 15), (0, 16, 17), (15, 16, 16), (33, 16, 16), (16, 15, 16), (16, 33, 16)])
    func `sizes that do not fit are refused`(text: Int, key: Int, iv: Int) {
        #expect(throws: CryptoError.self) {
            _ = try AESCBC.encrypt([UInt8].counting(text), key: [UInt8].counting(key), iv: .counting(iv))
        }
        #expect(throws: CryptoError.self) {
            _ = try AESCBC.decryptPadded(
                [UInt8].counting(text),
                key: [UInt8].counting(key),
                iv: .counting(iv)
            )
        }
    }

    @Test func `without a block there is no padding`() {
        #expect(throws: CryptoError.wrongSize(expected: 16, found: 0)) {
            _ = try AESCBC.decryptPadded([], key: [UInt8].counting(16), iv: Self.iv)
        }
    }
}
