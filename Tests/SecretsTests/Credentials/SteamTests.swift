import Secrets
import Testing
import VaultCrypto

@Suite struct `Codes of Steam` {
    private static let key = "63BEDWCQZKTQWPESARIERL5DTTQFCJTK"

    private func code(_ text: String, at second: Int64) throws -> String {
        let key = try OneTimeKey(reading: try Secret(copying: Array(text.utf8)))
        let password = try key.password(at: second)
        return password.digits.withBytes { String(decoding: $0.copied(), as: UTF8.self) }
    }

    /// Pairs that Steam's own app made, as KeePassXC's tests have them.
    @Test(arguments: [(Int64(1_511_200_518), "FR8RV"), (1_511_200_714, "9P3VP")])
    func `are the five letters that its app shows`(second: Int64, code: String) throws {
        for address in [
            "steam://\(Self.key)", "STEAM://\(Self.key.lowercased())\n",
            "otpauth://totp/a:b?secret=\(Self.key)&issuer=Valve&algorithm=SHA1&digits=5&period=30&encoder=steam",
            "otpauth://totp/x?encoder=Steam&secret=\(Self.key)",

            "otpauth://totp/Steam:me?secret=\(Self.key)&digits=5",
        ] {
            #expect(try self.code(address, at: second) == code)
        }
    }

    @Test(arguments: [
        "encoder=steam&digits=6", "encoder=steam&period=60", "encoder=steam&algorithm=SHA256",
        "encoder=other",
        "digits=5",
    ])
    func `in a form that Steam does not have are refused`(words: String) throws {
        #expect(throws: OneTimeError.unsupported) {
            try code("otpauth://totp/x?secret=\(Self.key)&\(words)", at: 0)
        }
    }

    @Test func `without a key are refused`() throws {
        for text in ["steam://", "steam://1", "otpauth://totp/x?secret=&encoder=steam"] {
            #expect(throws: OneTimeError.self) { try code(text, at: 0) }
        }
    }
}
