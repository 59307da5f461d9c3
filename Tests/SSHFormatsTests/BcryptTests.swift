import CBcrypt
import SSHFormats
import Testing
import VaultCrypto

struct BcryptTests {
    /// Made with the Python package `bcrypt`, function `kdf`.
    @Test(arguments: [
        ("password", "salt", 4, 32, "5bbf0cc293587f1c3635555c27796598d47e579071bf427e9d8fbe842aba34d9"),
        (
            "pw", "NaCl", 8, 64,
            "2377a45cd0d351632ed964c42496c7b474583bd9caababd2bb675b498f11928a"
                + "ef44fda8afadfbd7741d7b19b13c7516fc170b69b35c2664f2f86a2c5c5ebce6"
        ),
        ("p", "q", 1, 1, "5b"),
        ("p", "q", 2, 33, "6129559e80004f061da5f897a51fa3891621c5ebd4056b9544ac0c6b1de876adc9"),
    ])
    func `a key is what other programs make of the passphrase`(
        words: String,
        salt: String,
        rounds: UInt32,
        count: Int,
        key: String
    ) throws {
        let made = try BcryptPBKDF.key(words.bytes, salt: salt.bytes, rounds: rounds, count: count)
        #expect(Hex.encode(exposed(made)) == key)
    }

    @Test(arguments: [
        ("", "s", 1, 1), ("p", "", 1, 1), ("p", "s", 0, 1), ("p", "s", 1, 0), ("p", "s", 1, 1025),
    ])
    func `nothing is made of nothing`(words: String, salt: String, rounds: UInt32, count: Int) {
        #expect(throws: SSHFormatError.malformed) {
            _ = try BcryptPBKDF.key(words.bytes, salt: salt.bytes, rounds: rounds, count: count)
        }
    }

    @Test func `the tables begin as the fraction of pi`() {
        let pi = Pi.fraction(words: Int(HSIP_BLOWFISH_WORDS))
        #expect(pi.first == 0x243F_6A88)
        for (index, word) in pi.enumerated() {
            let entry = unsafe withUnsafeBytes(of: hsip_blowfish_pi) {
                unsafe $0.load(fromByteOffset: index * 4, as: UInt32.self)
            }
            #expect(entry == word, "word \(index)")
        }
    }
}
