public import VaultCrypto

/// Something a person or a program asks of the protocol; with a `Book` it gives a new book and an `Outcome`.
public enum Event: Sendable {
    /// Make a new OFFER, for anybody or bound to a contact.
    case offer(OfferRequest)
    /// Show my next code for a contact (rule 0, else rule 1, else a new OFFER).
    case nextCode(PeerID, OfferRequest)
    /// Show the ROTATE or ACCEPT that is due; never an OFFER.
    case rotate(PeerID, OfferRequest)
    /// Close every open offer of mine.
    case closeOffers
    /// Take a code of any kind.
    case take(ExchangeCode, TakeRequest)
    /// Open a message and take the code that it carries, as one act.
    case takeInside(MessageEnvelope, TakeRequest)
    /// Reserve the number of a message and everything needed to seal it.
    case send(PeerID, plaintext: Secret)
    /// The same for the key of a file or a parcel, which is made in the act: it depends on what that holds.
    case sendFileKey(PeerID, digest: [UInt8], for: ContainerPurpose = .file)
    /// Open a message.
    case read(MessageEnvelope, ReadRequest)
    /// A person compared safety number or emoji with a contact, and they matched.
    case matched(PeerID, Contact.Verification)
    /// End every session with a contact; prints one notice.
    case revokeSessions(PeerID, RevokeReason)
    /// Change what I keep about a contact.
    case setContact(PeerID, ContactChange)
    /// Put a contact into the trash; ends their sessions after making the notice.
    case removeContact(PeerID)
    /// Take a contact out of the trash; sessions do not come back.
    case restoreContact(PeerID)
    /// Replace the pinned key of a contact by the one in a code of theirs.
    case trustNewKey(PeerID, ExchangeCode)
    /// Import a key from an older program.
    case importLegacy(LegacyImport)
    /// Give out an imported key; its counter can no longer be relied on.
    case exportLegacy(PeerID)
    /// Change the name my codes carry.
    case setName(String)
    /// Go on under a new identity: mine ends, with every session and open offer of mine.
    case renewIdentity
    /// Set the clock mark to the clock, which a person says is right: back, or past a jump.
    case setClockBack
}

/// Fields of a contact to change; nil leaves a field as it is.
public struct ContactChange: Sendable, Codable {
    /// The name I use.
    public var alias: String?
    /// My own note.
    public var note: String?
    /// Refuse to send until verified.
    public var requiresVerification: Bool?

    /// Nothing to change.
    public init(alias: String? = nil, note: String? = nil, requiresVerification: Bool? = nil) {
        self.alias = alias
        self.note = note
        self.requiresVerification = requiresVerification
    }
}

/// A 32-byte session key of an older HSIP program.
public struct LegacyImport: Sendable, Codable {
    /// The key.
    public var key: Secret
    /// The PeerID that program stored for the other side.
    public var peerID: PeerID
    /// The alias for a new contact.
    public var alias: String
    /// How long the key may seal, in hours.
    public var lifeHours: UInt16

    /// An import.
    public init(key: Secret, peerID: PeerID, alias: String, lifeHours: UInt16 = Terms.standardLifeHours) {
        self.key = key
        self.peerID = peerID
        self.alias = alias
        self.lifeHours = lifeHours
    }
}

/// What a new OFFER, ROTATE or ANSWER should say.
public struct OfferRequest: Sendable, Codable {
    /// The contact it is bound to.
    public var contact: PeerID?
    /// Lifetime of the code in minutes; nil for the standard one of its kind.
    public var ttlMinutes: UInt16?
    /// Life of the epoch in hours.
    public var lifeHours: UInt16
    /// Messages per direction.
    public var limit: UInt16
    /// Leave my name out.
    public var isAnonymous: Bool

    /// The standard request.
    public init(
        contact: PeerID? = nil,
        ttlMinutes: UInt16? = nil,
        lifeHours: UInt16 = Terms.standardLifeHours,
        limit: UInt16 = Terms.highestLimit,
        isAnonymous: Bool = false
    ) {
        self.contact = contact
        self.ttlMinutes = ttlMinutes
        self.lifeHours = lifeHours
        self.limit = limit
        self.isAnonymous = isAnonymous
    }
}

/// How a message is to be opened.
public struct ReadRequest: Sendable {
    /// Whose key opens it, when the header does not say (keys of older programs).
    public var from: PeerID?
    /// Open it although it was read before.
    public var isReread: Bool
    /// What the message has to be for.
    public var purpose: MessagePurpose

    /// The standard request.
    public init(from: PeerID? = nil, isReread: Bool = false, purpose: MessagePurpose = .text) {
        self.from = from
        self.isReread = isReread
        self.purpose = purpose
    }
}

/// How a code is to be taken.
public struct TakeRequest: Sendable {
    /// The alias for a new contact.
    public var alias: String?
    /// It must come from this contact.
    public var contact: PeerID?
    /// The user says: I read it from their own screen.
    public var isInPerson: Bool
    /// The user confirmed what needs confirmation (the REVOKE of an unknown identity).
    public var isConfirmed: Bool
    /// What my own code should say, where one is due.
    public var reply: OfferRequest
    /// The code that is meant, if a message carries several.
    public var chosen: ExchangeCode?

    /// The standard request.
    public init(
        alias: String? = nil,
        contact: PeerID? = nil,
        isInPerson: Bool = false,
        isConfirmed: Bool = false,
        reply: OfferRequest = OfferRequest(),
        chosen: ExchangeCode? = nil
    ) {
        self.alias = alias
        self.contact = contact
        self.isInPerson = isInPerson
        self.isConfirmed = isConfirmed
        self.reply = reply
        self.chosen = chosen
    }
}
