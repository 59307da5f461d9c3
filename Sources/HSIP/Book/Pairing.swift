internal import VaultCrypto

/// What one offer and one answer made, or one imported key: the keys, their counters and their life.
public struct Pairing: Sendable {
    /// One key for both directions (imported), or a key for each (every pairing made by codes).
    public enum Profile: UInt8, Sendable {
        case dual = 0
        case single = 1
    }

    /// It was ended; its keys are gone, its names stay so that no old code revives it.
    public struct Ended: Sendable, Hashable {
        /// The other side ended it, or I did.
        public let byPeer: Bool
        /// Unix seconds.
        public let at: UInt64
        /// The reason in the notice.
        public let reason: RevokeReason
        /// The names (refs) of its epochs.
        public let names: [[UInt8]]
        /// Kept until, Unix seconds; nil for good.
        public let keptUntil: UInt64?

        /// An end, fresh or as it was stored.
        public init(byPeer: Bool, at: UInt64, reason: RevokeReason, names: [[UInt8]], keptUntil: UInt64?) {
            self.byPeer = byPeer
            self.at = at
            self.reason = reason
            self.names = names
            self.keptUntil = keptUntil
        }
    }

    /// Alive with keys, or ended without.
    public enum State: Sendable {
        case live(Rotation<HSIPScheme>)
        case ended(Ended)
    }

    /// Its name.
    public let id: PairingID
    /// Whose it is.
    public var contact: PeerID
    /// My role for its whole life; a rotation never swaps it.
    public let role: Role
    /// See `Profile`.
    public let profile: Profile
    /// The 12 emoji of epoch 0 as indices into the table; empty for an import.
    public let emoji: [UInt8]
    /// The imported key was exported or restored, so another program may count under it too.
    public var isCounterUnreliable: Bool
    /// See `State`.
    public var state: State

    /// A pairing, fresh or as it was stored.
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

    /// The keys, while it lives.
    public var rotation: Rotation<HSIPScheme>? {
        if case .live(let rotation) = state { rotation } else { nil }
    }

    /// The names (refs) of every epoch it has or had when it ended.
    public var epochNames: [[UInt8]] {
        switch state {
        case .ended(let end): end.names
        case .live(let rotation):
            (rotation.next.map { [$0.epoch.name] } ?? []) + [rotation.current.name]
                + rotation.past.map(\.epoch.name)
        }
    }

    /// The most distinct messages of the peer that one epoch reads: `limit`, or 4,096 for a single key.
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

/// The facts that a contact keeps of one pairing: enough to choose and to order, no keys.
public struct PairingEntry: Sendable, Hashable, Codable {
    /// The pairing's name.
    public let id: PairingID
    /// Stamp of the offer, Unix seconds (of an import: when it was imported).
    public let offerIssued: UInt64
    /// Stamp of the answer, Unix seconds; 0 for an import.
    public let answerIssued: UInt64
    /// The transcript hash, 32 bytes.
    public let transcript: [UInt8]
    /// My role.
    public let role: Role
    /// A key imported from an older program, not made by offer and answer.
    public let isLegacy: Bool
    /// I imported the answer, or have read something made under it.
    public var isConfirmed: Bool
    /// A fresh offer came after it: receives, never sends.
    public var isMuted: Bool

    /// An entry, fresh or as it was stored.
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

    /// My own stamp of it: of the offer if I offered, of the answer if I answered.
    public var ownStamp: UInt64 { role == .offerer ? offerIssued : answerIssued }
    /// The peer's stamp of it.
    public var peerStamp: UInt64 { role == .offerer ? answerIssued : offerIssued }

    /// rank = (answer.issued, th); an imported key ranks below every pairing, the newer import higher.
    public func outranks(_ other: PairingEntry) -> Bool {
        if isLegacy != other.isLegacy { return other.isLegacy }
        if isLegacy { return (offerIssued, id) > (other.offerIssued, other.id) }
        if answerIssued != other.answerIssued { return answerIssued > other.answerIssued }
        return other.transcript.lexicographicallyPrecedes(transcript)
    }
}
