internal import VaultCrypto

/// The keys made by one offer and one answer, or imported as one key, with their counters and lifetime.
public struct Pairing: Sendable {
    /// One key for both directions (imported), or a key for each direction (every pairing made by codes).
    public enum Profile: UInt8, Sendable {
        case dual = 0
        case single = 1
    }

    /// The end of a pairing; its keys are gone, and its names stay so that no old code revives it.
    public struct Ended: Sendable, Hashable {
        /// Whether the contact ended the pairing; otherwise I did.
        public let byPeer: Bool
        /// Unix seconds.
        public let at: UInt64
        /// The reason in the notice.
        public let reason: RevokeReason
        /// The names (refs) of its epochs.
        public let names: [[UInt8]]
        /// How long the record is kept, Unix seconds; nil for ever.
        public let keptUntil: UInt64?

        /// An end, new or stored.
        public init(byPeer: Bool, at: UInt64, reason: RevokeReason, names: [[UInt8]], keptUntil: UInt64?) {
            self.byPeer = byPeer
            self.at = at
            self.reason = reason
            self.names = names
            self.keptUntil = keptUntil
        }
    }

    /// Alive with keys, or ended without keys.
    public enum State: Sendable {
        case live(Rotation<HSIPScheme>)
        case ended(Ended)
    }

    /// The pairing's name.
    public let id: PairingID
    /// The contact of the pairing.
    public var contact: PeerID
    /// My role, which a rotation never swaps.
    public let role: Role
    /// See `Profile`.
    public let profile: Profile
    /// The 12 emoji of epoch 0 as indices into the table; empty for an import.
    public let emoji: [UInt8]
    /// Whether the imported key was exported or restored, so that another program may also count messages under it.
    public var isCounterUnreliable: Bool
    /// See `State`.
    public var state: State

    /// A pairing, new or stored.
    public init(
        id: PairingID,
        contact: PeerID,
        role: Role,
        profile: Profile,
        emoji: [UInt8],
        isCounterUnreliable: Bool = false,
        state: State
    ) {
        self.id = id
        self.contact = contact
        self.role = role
        self.profile = profile
        self.emoji = emoji
        self.isCounterUnreliable = isCounterUnreliable
        self.state = state
    }

    /// The keys, while the pairing is alive.
    public var rotation: Rotation<HSIPScheme>? {
        if case .live(let rotation) = state { rotation } else { nil }
    }

    /// The names (refs) of the epochs that the pairing holds, or held when it ended.
    public var epochNames: [[UInt8]] {
        switch state {
        case .ended(let end): end.names
        case .live(let rotation):
            (rotation.next.map { [$0.epoch.name] } ?? []) + [rotation.current.name]
                + rotation.past.map(\.epoch.name)
        }
    }

    /// The most distinct messages of the peer that I read in one epoch: `limit`, or 4,096 for a single key.
    public func maximumReceived(in epoch: Epoch<HSIPScheme>) -> UInt16 {
        profile == .dual ? epoch.limit : 4_096
    }
}

/// The name of a pairing: the first 16 bytes of its transcript hash (`pid`).
public struct PairingID: Hashable, Sendable, Comparable {
    /// 16 bytes.
    public let bytes: [UInt8]

    /// A name from its 16 bytes; nil for any other length.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// The first 16 bytes of a transcript hash of 32.
    public init(transcript: [UInt8]) {
        bytes = Array(transcript.prefix(16))
    }

    /// Compares as unsigned bytes, first byte first.
    public static func < (a: PairingID, b: PairingID) -> Bool {
        a.bytes.lexicographicallyPrecedes(b.bytes)
    }
}

/// The facts about one pairing that a contact's record keeps: enough to choose and order pairings, without keys.
public struct PairingEntry: Sendable, Hashable, Codable {
    /// The pairing's name.
    public let id: PairingID
    /// Stamp of the offer, Unix seconds; for an import, its time.
    public let offerIssued: UInt64
    /// Stamp of the answer, Unix seconds; 0 for an import.
    public let answerIssued: UInt64
    /// The transcript hash, 32 bytes.
    public let transcript: [UInt8]
    /// My role.
    public let role: Role
    /// Whether the key was imported from an older program, not made by offer and answer.
    public let isLegacy: Bool
    /// Whether I accepted the answer, or have opened a message or code made under the pairing.
    public var isConfirmed: Bool
    /// Whether a later offer muted the pairing: it receives, but never sends.
    public var isMuted: Bool

    /// An entry, new or stored.
    public init(
        id: PairingID,
        offerIssued: UInt64,
        answerIssued: UInt64,
        transcript: [UInt8],
        role: Role,
        isLegacy: Bool = false,
        isConfirmed: Bool,
        isMuted: Bool = false
    ) {
        self.id = id
        self.offerIssued = offerIssued
        self.answerIssued = answerIssued
        self.transcript = transcript
        self.role = role
        self.isLegacy = isLegacy
        self.isConfirmed = isConfirmed
        self.isMuted = isMuted
    }

    /// My own stamp: the offer's if I offered, the answer's if I answered.
    public var ownStamp: UInt64 { role == .offerer ? offerIssued : answerIssued }
    /// The peer's stamp of the pairing.
    public var peerStamp: UInt64 { role == .offerer ? answerIssued : offerIssued }

    /// Compares by rank = (answer.issued, th); an imported key ranks below every pairing, and a newer import higher.
    public func outranks(_ other: PairingEntry) -> Bool {
        if isLegacy != other.isLegacy { return other.isLegacy }
        if isLegacy { return (offerIssued, id) > (other.offerIssued, other.id) }
        if answerIssued != other.answerIssued { return answerIssued > other.answerIssued }
        return other.transcript.lexicographicallyPrecedes(transcript)
    }
}
