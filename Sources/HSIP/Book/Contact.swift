/// One person: one pinned identity key, one local alias, at most four pairings.
public struct Contact: Sendable, Hashable, Codable {
    /// How sure I am that the key is this person's.
    public enum Trust: UInt8, Sendable, CaseIterable, Codable {
        /// First use: nothing was compared.
        case unverified = 0
        /// The user said: read from their own screen. Says it for this direction only.
        case scanned = 1
        /// Safety number, emoji or VERIFY matched.
        case verified = 2
        /// Another person answered the same offer; ends only by a match.
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

    /// Which suites their codes may have, and mine for them.
    public enum SuiteRule: UInt8, Sendable, CaseIterable, Codable {
        /// Either: nothing is known of their program.
        case any = 0
        /// They had suite 02 once, so a code of suite 01 is refused: it may be another person's.
        case onlyTwo = 1
        /// I said that their program does not know suite 02.
        case onlyOne = 2
    }

    /// How the last session ended, shown when the contact still sends.
    public struct End: Sendable, Hashable, Codable {
        /// The other side ended it, or I did.
        public let byPeer: Bool
        /// Unix seconds.
        public let at: UInt64
        /// The reason in the notice.
        public let reason: RevokeReason

        /// An end, fresh or as it was stored.
        public init(byPeer: Bool, at: UInt64, reason: RevokeReason) {
            self.byPeer = byPeer
            self.at = at
            self.reason = reason
        }
    }

    /// Where the record is kept: the PeerID of the pinned key, or the one a legacy program stored.
    public var peerID: PeerID
    /// The pinned Ed25519 key; nil for a contact known only by an imported legacy key.
    public var identityKey: [UInt8]?
    /// The name their code carried.
    public var sentName: String
    /// The name I use; it always wins over the sent one.
    public var alias: String
    /// My own note.
    public var note: String
    /// Refuse to send until verified.
    public var requiresVerification: Bool
    /// See `Trust`.
    public var trust: Trust
    /// When trust became `verified`, Unix seconds; nil before.
    public var verifiedAt: UInt64?
    /// How it became `verified`.
    public var verification: Verification
    /// Paired again after the first time, and not compared since.
    public var isRepaired: Bool
    /// A backup was restored since they were last compared, and what the vault knew by then is lost: their key may have
    /// ended, or have been replaced.
    public var isUncompared: Bool
    /// See `SuiteRule`; it outlives sessions, the trash, another key and a restored backup.
    public var suiteRule: SuiteRule
    /// In the trash since, Unix seconds.
    public var trashedAt: UInt64?
    /// How the last session ended; nil while one lives.
    public var ended: End?
    /// At most four.
    public var pairings: [PairingEntry]

    /// How many pairings a contact may have; a fifth ends the lowest ranked.
    public static let maximumPairings = 4

    /// Compared, and nothing since that asks for another comparison.
    public var isVerified: Bool { trust == .verified && !isRepaired && !isUncompared }

    /// Counts as not compared since a restore.
    ///
    /// Of a contact known by an imported key alone nothing can be compared; a key that ended stays ended.
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
