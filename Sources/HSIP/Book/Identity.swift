public import VaultCrypto

/// My own Ed25519 key pair and the name sent along with my codes.
///
/// The seed signs only under the five `sig-…` labels of the protocol, and is never exported.
public struct Identity: Sendable {
    /// The 32-byte seed of the key pair.
    public let seed: Secret
    /// The Ed25519 public key, 32 bytes.
    public let publicKey: [UInt8]
    /// BLAKE3 of the public key.
    public let peerID: PeerID
    /// The name that my codes carry; 0 to 40 bytes.
    public var name: String
    /// When the key pair was made, Unix seconds.
    public let created: UInt64
    /// The REVOKE of this identity, made with the key pair, to be printed and kept elsewhere.
    public let revocation: RevokeCode

    /// Makes a key pair, and at once the notice that can end the identity.
    ///
    /// - Throws: `malformed` for a name that the protocol does not allow.
    public static func make(
        name: String,
        entropy: Entropy,
        wallClock: UInt64
    ) throws(HSIPError) -> Identity {
        guard PeerName.isValid(name) else { throw .malformed }
        let seed: Secret
        let key: [UInt8]
        do {
            seed = Secret(try entropy.secret(32))
            key = try Signing.publicKey(seed: seed)
        } catch {
            throw HSIPError(error)
        }
        let notice = try RevokeCode.ofIdentity(key, seed: seed, reason: .none, issued: wallClock)
        return try Identity(
            seed: seed,
            publicKey: key,
            name: name,
            created: wallClock,
            revocation: notice
        )
    }

    /// A stored identity.
    public init(
        seed: Secret,
        publicKey: [UInt8],
        name: String,
        created: UInt64,
        revocation: RevokeCode
    ) throws(HSIPError) {
        self.seed = seed
        self.publicKey = publicKey
        self.name = name
        self.created = created
        self.revocation = revocation
        peerID = try PeerID(identity: publicKey)
    }
}
