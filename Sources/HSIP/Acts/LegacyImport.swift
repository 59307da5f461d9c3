public import VaultCrypto

/// A 32-byte session key of an older HSIP program.
public struct LegacyImport: Sendable, Codable {
    /// The key.
    public var key: Secret
    /// The PeerID that program stored for the other side.
    public var peerID: PeerID
    /// The alias for a new contact.
    public var alias: String
    /// How long the key may seal, in hours.
    public var lifeHours: UInt16

    /// An import.
    public init(key: Secret, peerID: PeerID, alias: String, lifeHours: UInt16 = Terms.standardLifeHours) {
        self.key = key
        self.peerID = peerID
        self.alias = alias
        self.lifeHours = lifeHours
    }
}
