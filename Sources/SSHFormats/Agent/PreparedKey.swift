internal import Crypto
internal import CryptoExtras
internal import FoundationEssentials
internal import VaultCrypto

/// A private key that is prepared for many signatures, as an agent makes them for ssh.
public final class PreparedKey: Sendable {
    private let key: PrivateKey
    private let pair: Pair?

    /// A class, because a noncopyable value cannot be optional in a `Sendable` class.
    private final class Pair: Sendable {
        let pair: SigningPair

        init(seed: Secret) throws(PrimitiveError) { pair = try SigningPair(seed: seed) }
    }

    /// Prepares a key.
    ///
    /// - Throws: `SSHFormatError.unsupportedKeyType` if its private half is not here; `outOfMemory`.
    public init(_ key: PrivateKey) throws(SSHFormatError) {
        guard key.isUsable else { throw .unsupportedKeyType }
        self.key = key
        if case .ed25519(let seed) = key.parts {
            pair = try translating { () throws(PrimitiveError) in try Pair(seed: seed) }
        } else {
            pair = nil
        }
    }

    /// The public half.
    public var publicKey: PublicKey { key.publicKey }

    /// Signs data and returns the signature in wire format.
    ///
    /// RSA uses the hash that the flags of the request name. Without such a flag it is SHA-1, for raw data only:
    /// `ssh-add -T` tests keys so. Logins, files and certificates are never signed with SHA-1.
    ///
    /// - Throws: `SSHFormatError.sha1Refused`; the errors of `PrivateKey.sign`.
    public func sign(_ data: [UInt8], as form: SignedData, flags: UInt32) throws(SSHFormatError) -> [UInt8] {
        if let pair {
            return SSHSignature(algorithm: .ed25519, value: pair.pair.sign(data)).wire
        }
        guard key.algorithm == .rsa else { return try key.sign(data).wire }
        if flags & SSHAgentRequest.rsaSHA256 != 0 { return try key.sign(data, algorithm: .rsaSHA256).wire }
        if flags & SSHAgentRequest.rsaSHA512 != 0 { return try key.sign(data, algorithm: .rsaSHA512).wire }
        guard form == .raw else { throw .sha1Refused }
        return try key.signWithSHA1(data)
    }
}

extension PrivateKey {
    /// Returns an RSA signature with SHA-1 in wire format.
    fileprivate func signWithSHA1(_ data: [UInt8]) throws(SSHFormatError) -> [UInt8] {
        guard case .rsa(let secrets) = parts, case .rsa(let exponent, let modulus) = publicKey.parts else {
            throw .unsupportedKeyType
        }
        let key = try secrets.key(modulus: modulus, exponent: exponent)
        let digest = Insecure.SHA1.hash(data: data)
        guard let signature = try? key.signature(for: digest, padding: .insecurePKCS1v1_5) else {
            throw .badKey
        }
        var writer = WireWriter()
        writer.string(KeyAlgorithm.rsa.name)
        writer.string(Array(signature.rawRepresentation))
        return writer.bytes
    }
}
