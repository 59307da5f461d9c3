internal import Crypto
internal import CryptoExtras
internal import FoundationEssentials
internal import SwiftASN1
internal import VaultCrypto

extension RSASecrets {
    /// The accepted sizes of private keys in bits: the limits of swift-crypto.
    static let usableBits = 2048...8192

    /// Refuses numbers that are not one valid key with this public half.
    func check(modulus: [UInt8], exponent: [UInt8]) throws(SSHFormatError) {
        let key = try key(modulus: modulus, exponent: exponent)
        let own = try Self.parts(of: key).secrets
        guard ConstantTime.equal(own.iqmp, iqmp) else { throw .halvesDiffer }
    }

    /// Returns the key for swift-crypto, which validates that the numbers belong together.
    func key(modulus: [UInt8], exponent: [UInt8]) throws(SSHFormatError) -> _RSA.Signing.PrivateKey {
        let bits = modulus.bitCount
        guard bits >= Self.usableBits.lowerBound else { throw .rsaTooShort(bits: bits) }
        guard bits <= Self.usableBits.upperBound else { throw .badKey }
        // The factors are odd and shorter than the product, so no computed divisor is zero.
        for number in [p, q] {
            guard number.count > 1, number.count < modulus.count else { throw .badKey }
            guard number.withBytes({ $0.byte(at: $0.byteCount - 1) & 1 == 1 }) else { throw .badKey }
        }
        guard d.count > 0, d.count <= modulus.count else { throw .badKey }
        return try unsafe d.lending(or: .halvesDiffer) { d in
            try unsafe p.lending(or: .halvesDiffer) { p in
                try unsafe q.lending(or: .halvesDiffer) { q in
                    unsafe try _RSA.Signing.PrivateKey(n: modulus, e: exponent, d: d, p: p, q: q)
                }
            }
        }
    }

    /// Extracts the numbers of a key that swift-crypto generated.
    static func parts(
        of key: _RSA.Signing.PrivateKey
    ) throws(SSHFormatError) -> (modulus: [UInt8], exponent: [UInt8], secrets: RSASecrets) {
        var data = key.derRepresentation
        defer { unsafe data.withUnsafeMutableBytes { unsafe $0.wipe() } }
        var der = Array(data)
        defer { der.wipe() }
        return try read(der)
    }

    /// Reads RFC 8017 appendix A.1.2 as swift-crypto writes it; the input is never foreign.
    private static func read(
        _ der: [UInt8]
    ) throws(SSHFormatError) -> (modulus: [UInt8], exponent: [UInt8], secrets: RSASecrets) {
        // version, n, e, d, p, q, d mod p-1, d mod q-1, inverse of q
        let numbers = try? DER.sequence(try DER.parse(der), identifier: .sequence) { fields in
            var numbers: [ArraySlice<UInt8>] = []
            while let field = fields.next() {
                guard case .primitive(let bytes) = field.content else { return numbers }
                numbers.append(bytes.drop { $0 == 0 })
            }
            return numbers
        }
        guard let numbers, numbers.count == 9 else { throw .badKey }
        let secrets = RSASecrets(
            d: try secret(numbers[3]),
            iqmp: try secret(numbers[8]),
            p: try secret(numbers[4]),
            q: try secret(numbers[5])
        )
        return (Array(numbers[1]), Array(numbers[2]), secrets)
    }

    private static func secret(_ bytes: ArraySlice<UInt8>) throws(SSHFormatError) -> Secret {
        try translating { () throws(PrimitiveError) in try Secret(copying: bytes) }
    }
}

/// The secret fields of a private key, in locked memory.
enum PrivateParts: Sendable {
    case ed25519(seed: Secret)
    /// The private number, as long as the numbers of the curve.
    case ecdsa(ECDSACurve, scalar: Secret)
    case rsa(RSASecrets)
    /// The private fields of a security key, as on the wire: flags, handle and reserved bytes.
    case handle(Secret)
    /// An unknown type: everything after the check numbers, including comment and padding, because the ends of the
    /// fields are unknown.
    case opaque(Secret)
}

/// The secret numbers of an RSA key, in their shortest form.
struct RSASecrets: Sendable {
    /// The private exponent.
    let d: Secret
    /// The inverse of q modulo p.
    let iqmp: Secret
    let p: Secret
    let q: Secret
}
