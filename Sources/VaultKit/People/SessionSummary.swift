public import HSIP
public import VaultCrypto

/// The public facts of one living pairing.
public struct SessionSummary: Sendable, Hashable, Codable {
    /// The states of `session list`; if several apply, the first of them is shown.
    public enum State: String, Sendable, CaseIterable, Codable {
        case revoked, lapsed, expired, restored, exhausted, unconfirmed, rotating, rekeySoon, grace
        case suspicious, active
    }

    /// Where a rotation stands.
    public enum Renewal: String, Sendable, Codable {
        case none
        /// My own ROTATE waits for its ACCEPT.
        case started
        /// I answered a ROTATE: the next epoch can receive, and the peer has not used it yet.
        case prepared
    }

    /// Whose it is.
    public let alias: String
    /// Whose it is.
    public let peerID: PeerID
    /// Its name.
    public let pairing: PairingID
    /// See `State`.
    public let state: State
    /// Whether this session is used for sending.
    public let isSending: Bool
    /// Made from an imported key.
    public let isLegacy: Bool
    /// Another program may count under the imported key.
    public let isCounterUnreliable: Bool
    /// I made the offer, or have read something under its keys.
    public let isConfirmed: Bool
    /// A fresh offer came after it: receives, never sends.
    public let isMuted: Bool
    /// A backup was restored over its current epoch: opens, never seals.
    public let isRestored: Bool
    /// My role.
    public let role: Role
    /// See `Renewal`.
    public let renewal: Renewal
    /// The number of the current epoch.
    public let epoch: UInt32
    /// The exchanges that made its keys; nil for an import.
    public let suite: Suite?
    /// How many replaced epochs still receive, 0...2.
    public let previousEpochs: Int
    /// Messages sealed under the current epoch.
    public let sent: UInt16
    /// The most that may be sealed.
    public let limit: UInt16
    /// Messages read under the current epoch.
    public let received: UInt16
    /// Stamp of the answer, Unix seconds; nil for an import.
    public let answeredAt: UInt64?
    /// When the current epoch ends, Unix seconds.
    public let endsAt: UInt64
    /// The 12 emoji as indices; empty for an import.
    public let emoji: [UInt8]

    /// The living ones of a contact, the sending one first.
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
    /// Every living session, the sending one of each contact first.
    public func sessions() throws(VaultError) -> [SessionSummary] {
        try contacts().flatMap(\.sessions)
    }

    /// Ends every session with a contact; the reply carries the ONE notice to send, if it could be made.
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

    /// Gives out an imported key, for an older program.
    ///
    /// A paired session answers `exportRefused`.
    public func exportKey(of alias: String) throws(VaultError) -> Secret {
        let acted = try perform(.all) { book in
            .exportLegacy(try book.named(alias).peerID)
        }
        guard case .exported(let key) = acted.outcome.product else { throw .hsip(.exportRefused) }
        return key
    }
}
