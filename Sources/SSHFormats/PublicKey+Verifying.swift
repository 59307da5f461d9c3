internal import Crypto
internal import CryptoExtras
internal import FoundationEssentials
internal import VaultCrypto

extension PublicKey {
    /// Verifies a signature of this key over these bytes; a certificate is verified with its plain key.
    ///
    /// - Throws: `SSHFormatError.badSignature`; `wrongSignatureAlgorithm` if the algorithm does not belong to this
    ///   type of key; `unsupportedKeyType`; `rsaTooShort` below 2,048 bits, since such a signature proves nothing.
    public func verify(_ signature: SSHSignature, message: [UInt8]) throws(SSHFormatError) {
        guard algorithm.defaultSignature != nil else { throw .unsupportedKeyType }
        guard signature.algorithm.keyAlgorithm == algorithm.certified else { throw .wrongSignatureAlgorithm }
        switch parts {
        case .ed25519(let key):
            guard Signing.isValid(signature.value, message: message, publicKey: key) else {
                throw .badSignature
            }
        case .ecdsa(let curve, let point):
            try Self.verify(signature.value, message, curve, point)
        case .rsa(let exponent, let modulus):
            try Self.verify(signature, message, modulus: modulus, exponent: exponent)
        case .securityEd25519(let key, let application):
            let signed = Self.signed(message, application, signature.trailer)
            guard Signing.isValid(signature.value, message: signed, publicKey: key) else {
                throw .badSignature
            }
        case .securityECDSA(let point, let application):
            try Self.verify(
                signature.value,
                Self.signed(message, application, signature.trailer),
                .p256,
                point
            )
        case .opaque:
            throw .unsupportedKeyType
        }
    }

    /// Returns the bytes that a security key signs (PROTOCOL.u2f): the digests of application and message, with flags
    /// and counter between them.
    private static func signed(_ message: [UInt8], _ application: [UInt8], _ trailer: [UInt8]) -> [UInt8] {
        Hash.sha256(application) + trailer + Hash.sha256(message)
    }

    private static func verify(
        _ value: [UInt8],
        _ message: [UInt8],
        _ curve: ECDSACurve,
        _ point: [UInt8]
    ) throws(SSHFormatError) {
        var reader = WireReader(value)
        let numbers = [try reader.mpint(), try reader.mpint()]
        try reader.finish()
        var pair: [UInt8] = []
        for number in numbers {
            guard number.count <= curve.scalarSize else { throw .badSignature }
            pair += [UInt8](repeating: 0, count: curve.scalarSize - number.count) + number
        }
        guard curve.isValid(pair, message: message, point: point) else { throw .badSignature }
    }

    private static func verify(
        _ signature: SSHSignature,
        _ message: [UInt8],
        modulus: [UInt8],
        exponent: [UInt8]
    ) throws(SSHFormatError) {
        guard modulus.bitCount >= 2048 else { throw .rsaTooShort(bits: modulus.bitCount) }
        guard let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent) else { throw .badKey }
        // Some programs omit leading zeros, which RFC 8332 section 3 forbids. OpenSSH restores them, too.
        guard signature.value.count <= modulus.count else { throw .badSignature }
        let zeros = [UInt8](repeating: 0, count: modulus.count - signature.value.count)
        let value = _RSA.Signing.RSASignature(rawRepresentation: zeros + signature.value)
        let isGood =
            signature.algorithm == .rsaSHA256
            ? key.isValidSignature(value, for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5)
            : key.isValidSignature(value, for: SHA512.hash(data: message), padding: .insecurePKCS1v1_5)
        guard isGood else { throw .badSignature }
    }
}
