public import VaultCrypto

/// Both suites under the rotation rules: X25519, with ML-KEM-768 in suite 02; Ed25519, HKDF and HMAC with SHA-256.
public enum HSIPScheme: RotationScheme {
    /// Five secrets, each wiped as soon as it is not needed any more.
    public typealias Keys = EpochKeys
    /// `ref`, 8 bytes.
    public typealias Name = [UInt8]
    /// `rotateRef`, 16 bytes.
    public typealias RotateName = [UInt8]
    /// See `OneTimeSecret`.
    public typealias Ephemeral = OneTimeSecret
    /// The ROTATE code.
    public typealias Rotate = RotateCode
    /// The ACCEPT code.
    public typealias Accept = AcceptCode

    /// My identity, the peer, and the source of randomness.
    public struct Party: RotationParty {
        /// My identity.
        public let identity: Identity
        /// The peer's PeerID.
        public let peerID: PeerID
        /// The peer's pinned Ed25519 key.
        public let peerKey: [UInt8]
        /// My role in this pairing.
        public let role: Role
        /// The source of one-time keys.
        public let entropy: Entropy

        /// The two parties.
        public init(identity: Identity, peerID: PeerID, peerKey: [UInt8], role: Role, entropy: Entropy) {
            self.identity = identity
            self.peerID = peerID
            self.peerKey = peerKey
            self.role = role
            self.entropy = entropy
        }

        /// Whether my PeerID is lower; PeerIDs compare as unsigned bytes, first byte first.
        public var isLower: Bool { identity.peerID < peerID }
    }

    /// Makes a ROTATE: MAC under the epoch's rotation key, signature under my identity.
    public static func rotate(
        under keys: EpochKeys,
        name: [UInt8],
        epoch: UInt32,
        attempt: UInt16,
        suite: Suite,
        terms: Terms,
        party: Party
    ) throws(HSIPError) -> (RotateCode, OneTimeSecret) {
        guard let rotateKey = keys.rotate else { throw .lapsed }
        let fresh = try OneTimeSecret.make(suite, party.entropy)
        let unsigned = try RotateCode.unsigned(
            header: try CodeHeader(kind: .rotate, suite: suite, terms: terms),
            ref: name,
            epoch: epoch,
            attempt: attempt,
            ephemeralKey: fresh.publicKey,
            kemKey: fresh.kemKey
        )
        let mac = KeySchedule.rotateMAC(rotateKey: rotateKey, role: party.role, unsigned: unsigned)
        let signature = try KeySchedule.signRotate(
            ref: name,
            unsigned: unsigned,
            mac: mac,
            seed: party.identity.seed
        )
        return (try RotateCode(unsigned: unsigned, mac: mac, signature: signature), fresh.secret)
    }

    /// Whether MAC and signature are the peer's, with its role byte and its pinned key.
    public static func verifies(
        _ rotate: RotateCode,
        under keys: EpochKeys,
        party: Party
    ) throws(HSIPError) -> Bool {
        guard let rotateKey = keys.rotate else { return false }
        do {
            try KeySchedule.checkRotateMAC(
                rotate.mac,
                rotateKey: rotateKey,
                role: party.role.peer,
                unsigned: rotate.unsignedBytes
            )
            try KeySchedule.verifyRotate(
                rotate.signature,
                ref: rotate.ref,
                unsigned: rotate.unsignedBytes,
                mac: rotate.mac,
                publicKey: party.peerKey
            )
            return true
        } catch .badSignature {
            return false
        }
    }
}
