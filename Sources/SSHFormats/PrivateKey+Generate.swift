internal import Crypto
internal import CryptoExtras
public import VaultCrypto

extension PrivateKey {
    /// Bits of RSA keys that are made: what OpenSSH makes by default, and more.
    public static let rsaSizes = [3072, 4096]

    /// Makes a new Ed25519 key.
    ///
    /// - Throws: `SSHFormatError.outOfMemory`.
    public static func ed25519(
        comment: [UInt8] = [],
        entropy: Entropy
    ) throws(SSHFormatError) -> PrivateKey {
        let seed = try translating { () throws(PrimitiveError) in try entropy.secret(Signing.seedSize) }
        let point = try translating { () throws(PrimitiveError) in try Signing.publicKey(seed: seed) }
        return PrivateKey(
            PublicKey(.ed25519, .ed25519(point), comment: comment),
            .ed25519(seed: Secret(seed))
        )
    }

    /// Makes a new ECDSA key.
    ///
    /// - Throws: `SSHFormatError.outOfMemory`; `badKey` when the entropy is none (128 numbers out of range).
    public static func ecdsa(
        _ curve: ECDSACurve,
        comment: [UInt8] = [],
        entropy: Entropy
    ) throws(SSHFormatError) -> PrivateKey {
        // Numbers are drawn until one is in range (FIPS 186-5 A.2.2): for P-256 and P-384 nearly always the
        // first, for P-521 as well once the spare bits of its first byte are cut off.
        for _ in 0..<128 {
            let scalar = try candidate(curve, entropy)
            guard let point = try? curve.publicPoint(of: scalar) else { continue }
            return PrivateKey(
                PublicKey(.ecdsa(curve), .ecdsa(curve, point: point), comment: comment),
                .ecdsa(curve, scalar: Secret(scalar))
            )
        }
        throw .badKey
    }

    /// Makes a new RSA key of 3,072 or 4,096 bits, in a second or several.
    ///
    /// The one act here whose randomness is not passed in: the library finds primes with the generator of the
    /// operating system alone.
    ///
    /// - Throws: `SSHFormatError.rsaTooShort` below 3,072 bits; `malformed` for another size; `outOfMemory`.
    public static func rsa(bits: Int, comment: [UInt8] = []) throws(SSHFormatError) -> PrivateKey {
        guard bits >= 3072 else { throw .rsaTooShort(bits: bits) }
        guard rsaSizes.contains(bits) else { throw .malformed }
        guard let key = try? _RSA.Signing.PrivateKey(keySize: .init(bitCount: bits)) else {
            throw .outOfMemory
        }
        let (modulus, exponent, secrets) = try RSASecrets.parts(of: key)
        let parts = PublicParts.rsa(exponent: exponent, modulus: modulus)
        return PrivateKey(PublicKey(.rsa, parts, comment: comment), .rsa(secrets))
    }

    private static func candidate(
        _ curve: ECDSACurve,
        _ entropy: Entropy
    ) throws(SSHFormatError) -> SecretBytes {
        var scalar = try translating { () throws(PrimitiveError) in try entropy.secret(curve.scalarSize) }
        let mask = UInt8(0xFF) >> UInt8(curve.scalarSize * 8 - curve.bits)
        scalar.withMutableBytes { span in
            unsafe span.withUnsafeMutableBytes { bytes in
                if unsafe !bytes.isEmpty { unsafe bytes[0] &= mask }
            }
        }
        return scalar
    }
}
