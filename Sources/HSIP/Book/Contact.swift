/// One person: one pinned identity key, one local alias, at most four pairings.
public struct Contact: Sendable, Hashable, Codable {
    /// How certain it is that the key is this person's.
    public enum Trust: UInt8, Sendable, CaseIterable, Codable {
        /// Nothing was compared yet.
        case unverified = 0
        /// The user said that the code was read from the person's own screen; counts for this direction only.
        case scanned = 1
        /// Safety number, emoji or VERIFY matched.
        case verified = 2
        /// Another person answered the same offer; only a match ends this.
        case suspicious = 3
        /// The owner ended this key.
        case revoked = 4
    }

    /// How trust came to be `verified`.
    public enum Verification: UInt8, Sendable, CaseIterable, Codable {
        case none = 0
        case safetyNumber = 1
        case emoji = 2
        case verifyCode = 3
    }

    /// The suites allowed for the contact's codes, and the suite of my codes for the contact.
    public enum SuiteRule: UInt8, Sendable, CaseIterable, Codable {
        /// Either suite; nothing is known about the contact's program.
        case any = 0
        /// The contact has used suite 02, so a code of suite 01 is refused: it may be another person's.
        case onlyTwo = 1
        /// The user said that the contact's program does not know suite 02.
        case onlyOne = 2
    }

    /// How the last session ended, shown when the contact still sends.
    public struct End: Sendable, Hashable, Codable {
        /// Whether the contact ended the session; otherwise I did.
        public let byPeer: Bool
        /// Unix seconds.
        public let at: UInt64
        /// The reason in the notice.
        public let reason: RevokeReason

        /// An end, new or stored.
        public init(byPeer: Bool, at: UInt64, reason: RevokeReason) {
            self.byPeer = byPeer
            self.at = at
            self.reason = reason
        }
    }

    /// The PeerID of the pinned key, or a legacy program's; the record is kept under it.
    public var peerID: PeerID
    /// The pinned Ed25519 key; nil for a contact known only by an imported legacy key.
    public var identityKey: [UInt8]?
    /// The name in the contact's code.
    public var sentName: String
    /// The name I use; it always wins over the sent one.
    public var alias: String
    /// My own note.
    public var note: String
    /// Whether to refuse to send until the contact is verified.
    public var requiresVerification: Bool
    /// See `Trust`.
    public var trust: Trust
    /// When trust became `verified`, Unix seconds; nil before.
    public var verifiedAt: UInt64?
    /// How trust became `verified`.
    public var verification: Verification
    /// Whether the user paired again after the first time, and has not compared the emoji since.
    public var isRepaired: Bool
    /// Whether a backup was restored since the last comparison, and later knowledge is lost: the contact's key may have
    /// ended or been replaced.
    public var isUncompared: Bool
    /// See `SuiteRule`; the rule stays through sessions, the trash, a new key and a restored backup.
    public var suiteRule: SuiteRule
    /// When the contact was moved to the trash, Unix seconds.
    public var trashedAt: UInt64?
    /// How the last session ended; nil while a session is alive.
    public var ended: End?
    /// The contact's pairings, at most four.
    public var pairings: [PairingEntry]

    /// The most pairings of a contact; a fifth ends another one (`PairingOrder.surplus`).
    public static let maximumPairings = 4

    /// Whether the contact was compared, and no later event needs another comparison.
    public var isVerified: Bool { trust == .verified && !isRepaired && !isUncompared }

    /// Marks the contact as not compared since a restore.
    ///
    /// A contact known only by an imported key cannot be compared; an ended key stays ended.
    mutating func countAsRestored() {
        if identityKey != nil, trust != .revoked { isUncompared = true }
    }

    /// A new contact.
    public init(peerID: PeerID, identityKey: [UInt8]?, sentName: String, alias: String) {
        self.peerID = peerID
        self.identityKey = identityKey
        self.sentName = sentName
        self.alias = alias
        note = ""
        requiresVerification = false
        trust = .unverified
        verifiedAt = nil
        verification = .none
        isRepaired = false
        isUncompared = false
        suiteRule = .any
        trashedAt = nil
        ended = nil
        pairings = []
    }
}
