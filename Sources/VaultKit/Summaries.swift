public import HSIP

/// What may be shown of the identity.
public struct IdentitySummary: Sendable, Hashable {
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
public struct ContactSummary: Sendable {
    /// The contact.
    public let contact: Contact
    /// Its sessions, the one that sends first.
    public let sessions: [SessionSummary]

    /// The name I use.
    public var alias: String { contact.alias }
    /// The session that sends.
    public var sending: SessionSummary? { sessions.first { $0.isSending } }

    init(_ contact: Contact, in book: Book, at moment: Moment) {
        self.contact = contact
        sessions = SessionSummary.all(of: contact, in: book, at: moment)
    }
}

/// What may be shown of one pairing.
public struct SessionSummary: Sendable, Hashable {
    /// The states of `session list`.
    public enum State: String, Sendable, CaseIterable {
        case active, rekeySoon, exhausted, expired, unconfirmed, rotating, grace, restored, lapsed, revoked
    }

    /// Whose it is.
    public let alias: String
    /// Whose it is.
    public let peerID: PeerID
    /// Its name.
    public let pairing: PairingID
    /// See `State`.
    public let state: State
    /// It is the one that sends.
    public let isSending: Bool
    /// Made from an imported key.
    public let isLegacy: Bool
    /// Somebody else may count under the imported key.
    public let isCounterUnreliable: Bool
    /// My role.
    public let role: Role
    /// The number of the current epoch.
    public let epoch: UInt32
    /// Messages sealed under the current epoch.
    public let sent: UInt16
    /// The most that may be sealed.
    public let limit: UInt16
    /// Messages read under the current epoch.
    public let received: UInt16
    /// When the current epoch ends, Unix seconds.
    public let endsAt: UInt64
    /// The 12 emoji as indices; empty for an import.
    public let emoji: [UInt8]

    static func all(of contact: Contact, in book: Book, at moment: Moment) -> [SessionSummary] {
        let sendingID = PairingOrder.sending(contact.pairings)?.id
        return PairingOrder.ranked(contact.pairings)
            .sorted { one, other in one.id == sendingID && other.id != sendingID }
            .compactMap { entry in
                guard let pairing = book.pairings[entry.id], let rotation = pairing.rotation else { return nil }
                return SessionSummary(
                    contact, entry, pairing, rotation, isSending: entry.id == sendingID, at: moment)
            }
    }

    private init(
        _ contact: Contact, _ entry: PairingEntry, _ pairing: Pairing, _ rotation: Rotation<SuiteOne>,
        isSending: Bool, at moment: Moment
    ) {
        alias = contact.alias
        peerID = contact.peerID
        self.pairing = entry.id
        self.isSending = isSending
        isLegacy = entry.isLegacy
        isCounterUnreliable = pairing.isCounterUnreliable
        role = pairing.role
        let current = rotation.current
        epoch = current.number
        sent = current.sent
        limit = current.limit
        received = current.received
        endsAt = current.end
        emoji = pairing.emoji
        state = Self.state(entry, rotation, at: moment)
    }

    private static func state(
        _ entry: PairingEntry, _ rotation: Rotation<SuiteOne>, at moment: Moment
    ) -> State {
        let current = rotation.current
        if current.isRestored { return .restored }
        if current.isExpired(at: moment) {
            if !entry.isLegacy, !current.keys.canRotate { return .lapsed }
            return current.keys.canReceive ? .grace : .expired
        }
        if current.isExhausted { return .exhausted }
        if !entry.isConfirmed { return .unconfirmed }
        if rotation.out != nil || rotation.next != nil { return .rotating }
        return current.warnsSoon(at: moment) ? .rekeySoon : .active
    }
}
