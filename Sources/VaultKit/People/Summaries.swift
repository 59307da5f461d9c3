public import HSIP

/// What may be shown of the identity.
public struct IdentitySummary: Sendable, Hashable, Codable {
    /// The name that codes carry.
    public let name: String
    /// BLAKE3 of the public key.
    public let peerID: PeerID
    /// The Ed25519 public key, 32 bytes.
    public let publicKey: [UInt8]
    /// When it was made, Unix seconds.
    public let created: UInt64

    init(_ identity: Identity) {
        name = identity.name
        peerID = identity.peerID
        publicKey = identity.publicKey
        created = identity.created
    }
}

/// What is known of one person, without any key that is secret.
public struct ContactSummary: Sendable, Codable {
    /// The contact.
    public let contact: Contact
    /// Its sessions, the one that sends first.
    public let sessions: [SessionSummary]
    /// Sessions that ended and are still remembered, the newest end first.
    public let ended: [EndedSession]
    /// When the record was made, Unix seconds; nil beside an act that has just made or changed it.
    public let created: UInt64?

    /// The name I use.
    public var alias: String { contact.alias }
    /// The session that sends.
    public var sending: SessionSummary? { sessions.first { $0.isSending } }

    init(_ contact: Contact, in book: Book, at moment: Moment, created: UInt64? = nil) {
        self.contact = contact
        self.created = created
        sessions = SessionSummary.all(of: contact, in: book, at: moment)
        ended = EndedSession.all(of: contact.peerID, in: book)
    }
}
