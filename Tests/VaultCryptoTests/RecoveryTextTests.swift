import Testing
import VaultCrypto

struct RecoveryTextTests {
    static let secret = [UInt8](hex: "30313233343536373839616263646566")
    static let text = "60RK-4CSM-6MV3-EE1S-C5H6-6S35-CVJ0"

    @Test func `a secret has the text of the known answer`() throws {
        let text = try RecoveryText.encode(Self.secret)
        #expect(exposed(text) == Array(Self.text.utf8))
        #expect(exposed(try RecoveryText.decode(text)) == Self.secret)
    }

    @Test(
        arguments: [
            text, text.lowercased(), "60RK4CSM6MV3EE1SC5H66S35CVJ0", " 60RK 4CSM 6MV3 EE1S C5H6 6S35 CVJ0\n",
            "6ORK-4CSM-6MV3-EEIS-C5H6-6S35-CVJO", "6oRK-4CSM-6MV3-EElS-C5H6-6S35-CVJ0",
        ])
    func `the text is read as people write it`(text: String) throws {
        #expect(exposed(try RecoveryText.decode(Array(text.utf8))) == Self.secret)
    }

    @Test(arguments: 0..<28)
    func `almost every mistyped character is noticed`(place: Int) throws {
        let right = Array("60RK4CSM6MV3EE1SC5H66S35CVJ0".utf8)
        var slipped = 0
        for letter in "0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8 where letter != right[place] {
            var typed = right
            typed[place] = letter
            do throws(CryptoError) {
                _ = try RecoveryText.decode(typed)
                slipped += 1
            } catch {
                #expect(error == .checkFailed)
            }
        }
        // 12 bits of check: of these 31, one in 4096 may slip, and none does.
        #expect(slipped == 0)
    }

    @Test(
        arguments: [
            "", "60RK", "60RK-4CSM-6MV3-EE1S-C5H6-6S35-CVJ", "60RK-4CSM-6MV3-EE1S-C5H6-6S35-CVJ00",
            "U0RK-4CSM-6MV3-EE1S-C5H6-6S35-CVJ0", "60RK-4CSM-6MV3-EE1S-C5H6-6S35-CVJ!",
        ])
    func `what is no recovery code is refused as such`(text: String) {
        #expect(throws: CryptoError.malformedText) { _ = try RecoveryText.decode(Array(text.utf8)) }
    }

    @Test(arguments: [0, 15, 17])
    func `a secret of another size is refused`(size: Int) {
        #expect(throws: CryptoError.wrongSize(expected: 16, found: size)) {
            _ = try RecoveryText.encode([UInt8].counting(size))
        }
    }

    @Test(arguments: 0..<50)
    func `every secret comes back from its text`(number: UInt8) throws {
        let secret = try Entropy.seeded([number]).secret(16)
        let back = try RecoveryText.decode(try RecoveryText.encode(secret))
        #expect(exposed(back) == exposed(secret))
    }
}
