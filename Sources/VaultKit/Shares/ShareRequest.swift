public import HSIP
public import VaultCrypto

/// Shares of a recovery secret, one for each of some contacts.
public struct ShareRequest: Sendable, Codable {
    /// A contact, and the share that is theirs.
    public struct Holder: Sendable, Codable {
        /// The contact.
        public let contact: String
        /// Twenty words, ASCII.
        public let words: Secret

        /// One contact's share.
        public init(_ contact: String, _ words: Secret) { (self.contact, self.words) = (contact, words) }
    }

    /// The name of the shares: that of the key slot that they open.
    public let name: String
    /// The identifier that all shares of a set have, 15 bits.
    public let identifier: UInt16
    /// The number of shares that open the vault.
    public let threshold: Int
    /// Who gets which.
    public let holders: [Holder]

    /// Shares of one making.
    public init(_ name: String, identifier: UInt16, threshold: Int, to holders: [Holder]) {
        (self.name, self.identifier, self.threshold, self.holders) = (name, identifier, threshold, holders)
    }
}

/// Shares that went to contacts, without any word of them.
public struct SharesSummary: Sendable, Hashable, Codable {
    /// A contact who was sent one.
    public struct Holder: Sendable, Hashable, Codable {
        /// The contact's name here; nil where there is none any more.
        public let contact: String?
        /// The contact.
        public let peerID: PeerID
        /// When they were asked to remove it, Unix seconds; nil while they were not.
        public let withdrawnAt: UInt64?
    }

    /// The name of the key slot that they open.
    public let name: String
    /// What all of them have in common.
    public let identifier: UInt16
    /// How many of them open the vault.
    public let threshold: Int
    /// When they were made, Unix seconds.
    public let at: UInt64
    /// Who was sent one, in the order of the shares.
    public let holders: [Holder]
}
