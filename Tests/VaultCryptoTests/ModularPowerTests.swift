import Support
import Testing
import VaultCrypto

struct ModularPowerTests {
    @Test func `powers are as Python computes them`() throws {
        let cases = try #require(try vectors()["power"] as? [[String: String]])
        try #require(cases.count > 20)
        for vector in cases {
            let result = try ModularPower.power(
                of: [UInt8](hex: vector["base"] ?? ""),
                to: [UInt8](hex: vector["exponent"] ?? "")
            )
            #expect(Hex.encode(exposed(result)) == vector["result"], "\(vector["note"] ?? "")")
        }
    }

    @Test func `a base whose powers say nothing is refused`() throws {
        let bases = try #require(try vectors()["refusedBases"] as? [String])
        try #require(bases.count == 8)
        for base in bases {
            #expect(throws: CryptoError.badPublicKey) {
                _ = try ModularPower.power(of: [UInt8](hex: base), to: [UInt8](hex: "03"))
            }
        }
    }

    @Test func `a number of no byte or of 129 is refused`() throws {
        #expect(throws: CryptoError.wrongSize(expected: 1, found: 0)) {
            _ = try ModularPower.power(of: [], to: [3])
        }
        #expect(throws: CryptoError.wrongSize(expected: 128, found: 129)) {
            _ = try ModularPower.power(of: [UInt8](repeating: 0, count: 128) + [2], to: [3])
        }
        #expect(throws: CryptoError.wrongSize(expected: 1, found: 0)) {
            _ = try ModularPower.power(of: [2], to: [])
        }
        #expect(throws: CryptoError.wrongSize(expected: 128, found: 129)) {
            _ = try ModularPower.power(of: [2], to: [UInt8](repeating: 1, count: 129))
        }
    }

    @Test func `two people agree on one number whatever their exponents`() throws {
        let entropy = Entropy.seeded([8])
        for _ in 0..<8 {
            let left = try entropy.secret(32)
            let right = try entropy.secret(32)
            let ours = exposed(try ModularPower.power(of: [2], to: left))
            let theirs = exposed(try ModularPower.power(of: [2], to: right))
            let here = try ModularPower.power(of: theirs, to: left)
            let there = try ModularPower.power(of: ours, to: right)
            #expect(exposed(here) == exposed(there))
        }
    }

    @Test func `a power of a sum of exponents is the product of the powers`() throws {
        // Adding 1 to an exponent is one more multiplication by the base: doubling here, with one subtraction.
        let exponent = Entropy.seeded([9]).bytes(32).dropLast() + [0x7E]
        let power = exposed(try ModularPower.power(of: [2], to: exponent))
        let next = exposed(try ModularPower.power(of: [2], to: exponent.dropLast() + [0x7F]))
        var doubled: [UInt8] = []
        var carry = 0
        for byte in power.reversed() {
            doubled.append(UInt8(truncatingIfNeeded: Int(byte) << 1 | carry))
            carry = Int(byte) >> 7
        }
        let isOver = carry == 1 || !doubled.reversed().lexicographicallyPrecedes(ModularPower.prime)
        var borrow = 0
        for place in 0..<(isOver ? 128 : 0) {
            let difference = Int(doubled[place]) - Int(ModularPower.prime[127 - place]) - borrow
            doubled[place] = UInt8(truncatingIfNeeded: difference)
            borrow = difference < 0 ? 1 : 0
        }
        #expect(next == doubled.reversed())
    }

    private func vectors() throws -> [String: Any] {
        try #require(try StoreVectors.load("service-sessions.json") as? [String: Any])
    }
}
