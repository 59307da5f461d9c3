internal import CryptoExtras
internal import Crypto
internal import FoundationEssentials
internal import VaultCrypto

extension PrivateKey {
    /// Signs a message, RSA with SHA-512 unless asked otherwise.
    ///
    /// Ed25519 signs the same every time; ECDSA takes its nonce from the library's own generator.
    ///
    /// - Throws: `SSHFormatError.wrongSignatureAlgorithm` for one that is not of this key's type;
    ///   `unsupportedKeyType` when the private half is not here; `badKey`; `outOfMemory`.
    public func sign(
        _ message: [UInt8],
        algorithm: SignatureAlgorithm? = nil
    ) throws(SSHFormatError) -> SSHSignature {
        guard isUsable, let own = self.algorithm.defaultSignature else { throw .unsupportedKeyType }
        let algorithm = algorithm ?? own
        guard algorithm.keyAlgorithm == self.algorithm else { throw .wrongSignatureAlgorithm }
        return SSHSignature(algorithm: algorithm, value: try value(message, algorithm))
    }

    private func value(
        _ message: [UInt8],
        _ algorithm: SignatureAlgorithm
    ) throws(SSHFormatError) -> [UInt8] {
        switch (parts, publicKey.parts) {
        case (.ed25519(let seed), _):
            return try translating { () throws(PrimitiveError) in try Signing.sign(message, seed: seed) }
        case (.ecdsa(let curve, let scalar), _):
            let pair = try curve.sign(message, scalar: scalar)
            var writer = WireWriter()
            writer.mpint(Array(pair.prefix(curve.scalarSize)))
            writer.mpint(Array(pair.dropFirst(curve.scalarSize)))
            return writer.bytes
        case (.rsa(let secrets), .rsa(let exponent, let modulus)):
            let key = try secrets.key(modulus: modulus, exponent: exponent)
            let signature =
                algorithm == .rsaSHA256
                ? try? key.signature(for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5)
                : try? key.signature(for: SHA512.hash(data: message), padding: .insecurePKCS1v1_5)
            guard let signature else { throw .badKey }
            return Array(signature.rawRepresentation)
        default:
            throw .unsupportedKeyType
        }
    }
}
