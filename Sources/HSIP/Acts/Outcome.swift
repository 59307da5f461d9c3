public import VaultCrypto

/// The result of one event.
///
/// Codes and tickets may be used only after the change set is durable.
public struct Outcome: Sendable {
    /// What happened.
    public enum Result: Codable, Sendable {
        /// The notices describe the result completely.
        case done
        /// A code is to be shown.
        case shows
        /// An offer was accepted: show the answer.
        case answered
        /// An answer was accepted: both sides are paired.
        case paired
        /// A ROTATE was accepted: show the ACCEPT.
        case prepared
        /// An ACCEPT was accepted: the new keys are in use.
        case rotated
        /// A notice of the contact ended the sessions.
        case sessionsEnded(RevokeReason)
        /// An identity was ended by its owner.
        case identityEnded(PeerID)
        /// I ended sessions.
        case ended
        /// Safety number, emoji or VERIFY matched; trust was raised, unless a VERIFY was not read in person.
        case verifyMatched
    }

    /// A product of an event for its caller alone.
    public enum Product: Sendable {
        /// A message may be sealed.
        case reserved(ReservedMessage)
        /// A message was opened.
        case opened(OpenedMessage)
        /// An imported key is exported.
        case exported(Secret)
    }

    /// What happened.
    public var result: Result
    /// The product for the caller; it is never part of a reply.
    public var product: Product?
    /// The code to show, if one is due.
    public var code: ExchangeCode?
    /// The contact concerned.
    public var contact: PeerID?
    /// The pairing concerned.
    public var pairing: PairingID?
    /// Warnings and notes.
    public var notices: [Notice]
    /// The refusal of the event, although the book's change (a mark) must be written.
    public var refusal: HSIPError?

    init(
        _ result: Result,
        _ product: Product? = nil,
        code: ExchangeCode? = nil,
        contact: PeerID? = nil,
        pairing: PairingID? = nil,
        notices: [Notice] = [],
        refusal: HSIPError? = nil
    ) {
        self.result = result
        self.product = product
        self.code = code
        self.contact = contact
        self.pairing = pairing
        self.notices = notices
        self.refusal = refusal
    }

    static func refused(_ error: HSIPError) -> Outcome { Outcome(.done, refusal: error) }
}

/// A message that was opened.
public struct OpenedMessage: Sendable {
    /// The text: UTF-8.
    public let plaintext: Secret
    /// The owner of the key that opened the message, even if the header names another sender.
    public let sender: PeerID
    /// The pairing whose key opened it.
    public let pairing: PairingID
    /// The epoch of that pairing.
    public let epoch: UInt32
    /// Whether the message was read before.
    public let isReread: Bool
}

/// Everything needed to seal one message, handed out once its number is reserved.
public struct ReservedMessage: Sendable {
    /// The message key of this direction.
    public let key: Secret
    /// My PeerID, for the header.
    public let sender: PeerID
    /// The hedged nonce, 12 bytes, for this plaintext and number.
    public let nonce: [UInt8]
    /// Messages sealed under this key, this one included.
    public let sent: UInt16
    /// The most messages that the key may seal.
    public let limit: UInt16
    /// When the epoch ends, Unix seconds.
    public let endsAt: UInt64
    /// SHA-256 of the plaintext for which the nonce was made.
    let digest: [UInt8]
    /// The purpose of the message.
    let purpose: MessagePurpose
    /// The key of a file or a parcel, if that is what the message carries.
    public let fileKey: Secret?

    /// Seals the plaintext of the reservation, and no other: two texts under one nonce would reveal each other.
    ///
    /// - Throws: `badPlaintext` for any other text; `outOfMemory`.
    public func seal(_ plaintext: Secret) throws(HSIPError) -> MessageEnvelope {
        guard ConstantTime.equal(Hash.sha256(plaintext), digest) else { throw .badPlaintext }
        return try MessageCipher.seal(plaintext, key: key, sender: sender, nonce: nonce, purpose: purpose)
    }
}
