public import HSIP
public import VaultCrypto

/// The public facts about one living pairing.
public struct SessionSummary: Sendable, Hashable, Codable {
    /// The states of `session list`; if several apply, the first in this order is shown.
    public enum State: String, Sendable, CaseIterable, Codable {
        case revoked, lapsed, expired, restored, exhausted, unconfirmed, rotating, rekeySoon, grace
        case suspicious, active
    }

    /// The progress of a rotation.
    public enum Renewal: String, Sendable, Codable {
        case none
        /// This vault's own ROTATE waits for its ACCEPT.
        case started
        /// This vault answered a ROTATE: the next epoch can receive, and the peer has not used it yet.
        case prepared
    }

    /// The alias of the contact.
    public let alias: String
    /// The PeerID of the contact.
    public let peerID: PeerID
    /// The id of the pairing.
    public let pairing: PairingID
    /// The state of the session.
    public let state: State
    /// Whether this session is used for sending.
    public let isSending: Bool
    /// Whether the session was made from an imported key.
    public let isLegacy: Bool
    /// Whether another program may also count messages under the imported key.
    public let isCounterUnreliable: Bool
    /// Whether this vault made the offer, or has read a message under the keys of the session.
    public let isConfirmed: Bool
    /// Whether a fresh offer followed, so that the session only receives.
    public let isMuted: Bool
    /// Whether a backup was restored over the current epoch, so that it only opens messages.
    public let isRestored: Bool
    /// The role of this vault.
    public let role: Role
    /// The progress of a rotation.
    public let renewal: Renewal
    /// The number of the current epoch.
    public let epoch: UInt32
    /// The key exchanges that made the keys; nil for an imported key.
    public let suite: Suite?
    /// The number of replaced epochs that still receive, 0...2.
    public let previousEpochs: Int
    /// Messages sealed under the current epoch.
    public let sent: UInt16
    /// The most messages that the current epoch may seal.
    public let limit: UInt16
    /// Messages read under the current epoch.
    public let received: UInt16
    /// The time stamp of the answer, Unix seconds; nil for an imported key.
    public let answeredAt: UInt64?
    /// Expiry of the current epoch, Unix seconds.
    public let endsAt: UInt64
    /// The 12 emoji as indices; empty for an imported key.
    public let emoji: [UInt8]

    /// The living sessions of a contact, with the sending session first.
    static func all(of contact: Contact, in book: Book, at moment: Moment) -> [SessionSummary] {
        let sendingID = PairingOrder.sending(contact.pairings)?.id
        return PairingOrder.ranked(contact.pairings)
            .sorted { one, other in one.id == sendingID && other.id != sendingID }
            .compactMap { entry in
                guard let pairing = book.pairings[entry.id], let rotation = pairing.rotation else {
                    return nil
                }
                return SessionSummary(
                    contact,
                    entry,
                    pairing,
                    rotation,
                    isSending: entry.id == sendingID,
                    at: moment
                )
            }
    }

    private init(
        _ contact: Contact,
        _ entry: PairingEntry,
        _ pairing: Pairing,
        _ rotation: Rotation<HSIPScheme>,
        isSending: Bool,
        at moment: Moment
    ) {
        alias = contact.alias
        peerID = contact.peerID
        self.pairing = entry.id
        self.isSending = isSending
        isLegacy = entry.isLegacy
        isCounterUnreliable = pairing.isCounterUnreliable
        isConfirmed = entry.isConfirmed
        isMuted = entry.isMuted
        role = pairing.role
        renewal = rotation.out != nil ? .started : rotation.next != nil ? .prepared : .none
        let current = rotation.current
        isRestored = current.isRestored
        epoch = current.number
        suite = entry.isLegacy ? nil : current.suite
        previousEpochs = rotation.past.count
        sent = current.sent
        limit = current.limit
        received = current.received
        answeredAt = entry.isLegacy ? nil : entry.answerIssued
        endsAt = current.end
        emoji = pairing.emoji
        state = Self.state(contact, entry, rotation, at: moment)
    }

    private static func state(
        _ contact: Contact,
        _ entry: PairingEntry,
        _ rotation: Rotation<HSIPScheme>,
        at moment: Moment
    ) -> State {
        let current = rotation.current
        if current.isExpired(at: moment) {
            return !entry.isLegacy && !current.keys.canRotate ? .lapsed : .expired
        }
        if current.isRestored { return .restored }
        if current.isExhausted { return .exhausted }
        if !entry.isConfirmed { return .unconfirmed }
        if rotation.out != nil || rotation.next != nil { return .rotating }
        if current.warnsSoon(at: moment) { return .rekeySoon }
        if !rotation.past.isEmpty { return .grace }
        return contact.trust == .suspicious ? .suspicious : .active
    }
}

extension Vault {
    /// Lists every living session; the sending session of each contact is first.
    public func sessions() throws(VaultError) -> [SessionSummary] {
        try contacts().flatMap(\.sessions)
    }

    /// Ends every session with a contact; the reply has one notice to send, if it could be made.
    public func revokeSessions(
        of alias: String,
        reason: RevokeReason = .none
    ) throws(VaultError) -> Reply {
        try act { book in .revokeSessions(try book.named(alias).peerID, reason) }
    }

    /// Imports a 32-byte key of an older HSIP program.
    public func importKey(_ request: LegacyImport) throws(VaultError) -> Reply {
        try act { _ in .importLegacy(request) }
    }

    /// Returns an imported key, for an older program.
    ///
    /// - Throws: `exportRefused` for a paired session.
    public func exportKey(of alias: String) throws(VaultError) -> Secret {
        let acted = try perform(.all) { book in
            .exportLegacy(try book.named(alias).peerID)
        }
        guard case .exported(let key) = acted.outcome.product else { throw .hsip(.exportRefused) }
        return key
    }
}
