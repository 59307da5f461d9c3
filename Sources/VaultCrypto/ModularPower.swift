/// Powers modulo the prime of the second Oakley group (RFC 2409 section 6.2, 1,024 bits).
///
/// It serves only the Diffie-Hellman of the Secret Service, which names this group; new formats use `KeyAgreement`. The
/// steps and the memory accesses depend on the lengths alone. Everything that depends on the exponent is in locked memory.
public enum ModularPower {
    /// Bytes in the prime, and in every result.
    public static let size = 128
    /// The prime, big-endian: twice another prime, plus 1.
    public static let prime = bigEndian(primeLimbs)

    /// Computes `base` to the power of `exponent`, modulo the prime.
    ///
    /// - Parameters:
    ///   - base: A number of 1 to 128 bytes, big-endian, which is not secret.
    ///   - exponent: A secret number of 1 to 128 bytes, big-endian; its length is not secret.
    /// - Returns: 128 bytes, big-endian, with leading zeros.
    /// - Throws: `CryptoError.wrongSize`; `badPublicKey` for a base below 2 or above the prime minus 2, whose powers reveal at
    ///   most the exponent's parity; `outOfMemory`.
    public static func power(
        of base: [UInt8],
        to exponent: borrowing some ByteSource & ~Copyable
    ) throws(CryptoError) -> SecretBytes {
        try (1...size).require(base.count)
        try (1...size).require(exponent.count)
        let base = [UInt8](repeating: 0, count: size - base.count) + base
        let one = [UInt8](repeating: 0, count: size - 1) + [1]
        let minusOne: [UInt8] = prime.dropLast() + [prime[size - 1] - 1]
        guard one.lexicographicallyPrecedes(base), base.lexicographicallyPrecedes(minusOne) else {
            throw .badPublicKey
        }
        var memory = try SecretBytes(count: Montgomery.limbs * 8)
        var result = try SecretBytes(count: size)
        unsafe memory.withMutablePointer { memory, _ in
            unsafe memory.withMemoryRebound(to: UInt64.self, capacity: Montgomery.limbs) { limbs in
                let numbers = unsafe Montgomery(limbs)
                numbers.begin(base)
                unsafe exponent.withPointer { exponent, count in
                    for place in 0..<count {
                        for bit in stride(from: UInt8(7), through: 0, by: -1) {
                            numbers.step(unsafe UInt64(exponent[place] &>> bit & 1))
                        }
                    }
                }
                unsafe result.withMutablePointer { target, _ in unsafe numbers.finish(into: target) }
            }
        }
        return result
    }

    /// The prime in limbs, the lowest first.
    fileprivate static let primeLimbs: [UInt64] = [
        0xFFFF_FFFF_FFFF_FFFF, 0x4928_6651_ECE6_5381, 0xAE9F_2411_7C4B_1FE6, 0xEE38_6BFB_5A89_9FA5,
        0x0BFF_5CB6_F406_B7ED, 0xF44C_42E9_A637_ED6B, 0xE485_B576_625E_7EC6, 0x4FE1_356D_6D51_C245,
        0x302B_0A6D_F25F_1437, 0xEF95_19B3_CD3A_431B, 0x514A_0879_8E34_04DD, 0x020B_BEA6_3B13_9B22,
        0x2902_4E08_8A67_CC74, 0xC4C6_628B_80DC_1CD1, 0xC90F_DAA2_2168_C234, 0xFFFF_FFFF_FFFF_FFFF,
    ]

    /// 2^2048 modulo the prime, which converts a number into Montgomery form.
    fileprivate static let squareLimbs: [UInt64] = [
        0x86B8_F055_6003_1F42, 0xC52E_1890_C7B5_E3B2, 0x7CAE_7232_1893_172A, 0x55DA_58A4_9699_89E3,
        0x1F69_FBFA_267F_09B5, 0x64E9_5D0D_01B8_0803, 0x0D95_5E84_00C5_1C6D, 0xA513_AEA8_63E6_37F2,
        0x0CB0_1526_74CE_158C, 0xE127_91E4_EB65_5E02, 0x0092_D1E7_3100_41C7, 0x010D_8FEC_C388_80C2,
        0xB990_E34C_A6B7_648D, 0x4325_67CC_E986_16FB, 0x0345_28C7_5A74_698D, 0x6415_C282_3C30_3EAD,
    ]

    private static func bigEndian(_ limbs: [UInt64]) -> [UInt8] {
        limbs.reversed().flatMap { limb in
            stride(from: UInt64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: limb &>> $0) }
        }
    }
}

/// The numbers of one power in the caller's memory, each kept times 2^1024 modulo the prime (Montgomery, 1985).
@safe private struct Montgomery {
    /// Limbs of a number.
    private static let width = 16
    /// Limbs of all the numbers below; the running sum has two limbs more than a number.
    static let limbs = 6 * width + width + 2

    private let prime, square, one, base, result, product, sum: UnsafeMutablePointer<UInt64>

    /// Uses memory of `limbs` limbs, which must be zero.
    init(_ memory: UnsafeMutablePointer<UInt64>) {
        unsafe prime = memory
        unsafe square = prime + Self.width
        unsafe one = square + Self.width
        unsafe base = one + Self.width
        unsafe result = base + Self.width
        unsafe product = result + Self.width
        unsafe sum = product + Self.width
        for place in 0..<Self.width {
            unsafe prime[place] = ModularPower.primeLimbs[place]
            unsafe square[place] = ModularPower.squareLimbs[place]
        }
        unsafe one[0] = 1
    }

    /// Starts with a base of 128 bytes, below the prime.
    func begin(_ bytes: [UInt8]) {
        for (place, byte) in bytes.reversed().enumerated() {
            unsafe product[place / 8] |= UInt64(byte) << UInt64(place % 8 * 8)
        }
        unsafe multiply(product, square, into: base)
        unsafe multiply(one, square, into: result)
    }

    /// Processes the next bit of the exponent; for a 0 it multiplies too, and drops that product.
    func step(_ bit: UInt64) {
        unsafe multiply(result, result, into: result)
        unsafe multiply(result, base, into: product)
        unsafe choose(product, where: 0 &- bit, into: result)
    }

    /// Writes the result, 128 bytes.
    func finish(into target: UnsafeMutablePointer<UInt8>) {
        unsafe multiply(result, one, into: result)
        for place in 0..<ModularPower.size {
            let limb = unsafe result[Self.width - 1 - place / 8]
            unsafe target[place] = UInt8(truncatingIfNeeded: limb &>> UInt64((7 - place % 8) * 8))
        }
    }

    /// Writes `left` · `right` / 2^1024 modulo the prime, for numbers below the prime.
    private func multiply(
        _ left: UnsafeMutablePointer<UInt64>,
        _ right: UnsafeMutablePointer<UInt64>,
        into target: UnsafeMutablePointer<UInt64>
    ) {
        let width = Self.width
        for place in 0..<width + 2 { unsafe sum[place] = 0 }
        for place in 0..<width {
            unsafe add(left, times: right[place])
            // The lowest limb of the prime is 2^64 - 1. So adding the prime times the sum's lowest limb makes that limb
            // zero.
            unsafe add(prime, times: sum[0])
            for place in 0...width { unsafe sum[place] = sum[place + 1] }
            unsafe sum[width + 1] = 0
        }
        // The sum is below twice the prime.
        var borrow: UInt64 = 0
        for place in 0..<width {
            var less = unsafe UInt128(truncatingIfNeeded: sum[place])
            less &-= unsafe UInt128(truncatingIfNeeded: prime[place])
            less &-= UInt128(truncatingIfNeeded: borrow)
            unsafe target[place] = UInt64(truncatingIfNeeded: less)
            borrow = UInt64(truncatingIfNeeded: less &>> 64) & 1
        }
        unsafe choose(sum, where: 0 &- (borrow & ~sum[width]), into: target)
    }

    /// Adds a multiple of a number to the sum.
    private func add(_ number: UnsafeMutablePointer<UInt64>, times factor: UInt64) {
        var carry: UInt128 = 0
        for place in 0..<Self.width {
            carry &+= unsafe UInt128(truncatingIfNeeded: sum[place])
            carry &+= unsafe UInt128(truncatingIfNeeded: number[place]) &* UInt128(truncatingIfNeeded: factor)
            unsafe sum[place] = UInt64(truncatingIfNeeded: carry)
            carry = carry &>> 64
        }
        carry &+= unsafe UInt128(truncatingIfNeeded: sum[Self.width])
        unsafe sum[Self.width] = UInt64(truncatingIfNeeded: carry)
        unsafe sum[Self.width + 1] &+= UInt64(truncatingIfNeeded: carry &>> 64)
    }

    /// Copies a number if `mask` is all ones, and leaves the target unchanged if it is zero.
    private func choose(
        _ number: UnsafeMutablePointer<UInt64>,
        where mask: UInt64,
        into target: UnsafeMutablePointer<UInt64>
    ) {
        for place in 0..<Self.width {
            unsafe target[place] = (number[place] & mask) | (target[place] & ~mask)
        }
    }
}
