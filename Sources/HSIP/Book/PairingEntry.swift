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
