public import VaultCrypto

/// An input of the protocol from a person or a program; with a `Book` it results in a new book and an `Outcome`.
public enum Event: Sendable {
    /// Make a new OFFER, for anybody or bound to a contact.
    case offer(OfferRequest)
    /// Show my next code for a contact (rule 0, else rule 1, else a new OFFER).
    case nextCode(PeerID, OfferRequest)
    /// Show the ROTATE, ACCEPT or cached ANSWER that is due; never an OFFER.
    case rotate(PeerID, OfferRequest)
    /// Close every open offer of mine.
    case closeOffers
    /// Accept a code of any kind.
    case take(ExchangeCode, CodeOptions)
    /// Open a message and accept the code inside, both or neither.
    case takeInside(MessageEnvelope, CodeOptions)
    /// Reserve the number of a message and everything needed to seal it.
    case send(PeerID, plaintext: Secret)
    /// Reserve a message number for the key of a file or a parcel; the key is made then, because it depends
    /// on the digest.
    case sendFileKey(PeerID, digest: [UInt8], for: ContainerPurpose = .file)
    /// Open a message.
    case read(MessageEnvelope, ReadRequest)
    /// Mark a contact as verified, because safety number or emoji matched.
    case matched(PeerID, Contact.Verification)
    /// End every session with a contact; returns one notice.
    case revokeSessions(PeerID, RevokeReason)
    /// Change what I keep about a contact.
    case setContact(PeerID, ContactChange)
    /// Set whether a contact's program knows suite 02: suite 01 for no, suite 02 for perhaps.
    case setSuite(PeerID, Suite)
    /// Move a contact to the trash; makes a notice and then ends the sessions.
    case removeContact(PeerID)
    /// Restore a contact from the trash; its sessions stay ended.
    case restoreContact(PeerID)
    /// Replace the pinned key of a contact by the key in a code of that contact.
    case trustNewKey(PeerID, ExchangeCode)
    /// Import a key from an older program.
    case importLegacy(LegacyImport)
    /// Export an imported key; its counter is unreliable from then on.
    case exportLegacy(PeerID)
    /// Change the name my codes carry.
    case setName(String)
    /// Continue under a new identity; the old one ends with all its sessions and open offers.
    case renewIdentity
    /// Set the clock mark to the present clock, back or past a jump, because a person says that it is right.
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

    /// A change of the given fields.
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
    /// The PeerID of the contact that the older program stored.
    public var peerID: PeerID
    /// The alias for a new contact.
    public var alias: String
    /// Hours for which the key may seal.
    public var lifeHours: UInt16

    /// Imports a key under an alias.
    public init(key: Secret, peerID: PeerID, alias: String, lifeHours: UInt16 = Terms.standardLifeHours) {
        self.key = key
        self.peerID = peerID
        self.alias = alias
        self.lifeHours = lifeHours
    }
}

/// The contents of a new OFFER, ROTATE or ANSWER.
public struct OfferRequest: Sendable, Codable {
    /// The contact that the code is bound to.
    public var contact: PeerID?
    /// Validity of the code in minutes; nil for the standard of its kind.
    public var ttlMinutes: UInt16?
    /// Life of the epoch in hours.
    public var lifeHours: UInt16
    /// Messages per direction.
    public var limit: UInt16
    /// Leave my name out.
    public var isAnonymous: Bool
    /// The suite of an OFFER; nil for suite 02, or for the small code of suite 01 if `isInPerson`.
    public var suite: Suite?
    /// Whether the code is shown from screen to screen.
    public var isInPerson: Bool

    /// The suite of an OFFER for an unknown person.
    var preferredSuite: Suite { suite ?? (isInPerson ? .one : .two) }

    /// The standard request.
    public init(
        contact: PeerID? = nil,
        ttlMinutes: UInt16? = nil,
        lifeHours: UInt16 = Terms.standardLifeHours,
        limit: UInt16 = Terms.highestLimit,
        isAnonymous: Bool = false,
        suite: Suite? = nil,
        isInPerson: Bool = false
    ) {
        self.contact = contact
        self.ttlMinutes = ttlMinutes
        self.lifeHours = lifeHours
        self.limit = limit
        self.isAnonymous = isAnonymous
        self.suite = suite
        self.isInPerson = isInPerson
    }
}

/// How to open a message.
public struct ReadRequest: Sendable {
    /// The contact whose key opens the message, if the header does not say so (keys of older programs).
    public var from: PeerID?
    /// Whether to open a message that was read before.
    public var isReread: Bool
    /// The purpose that the message must have.
    public var purpose: MessagePurpose

    /// The standard request.
    public init(from: PeerID? = nil, isReread: Bool = false, purpose: MessagePurpose = .text) {
        self.from = from
        self.isReread = isReread
        self.purpose = purpose
    }
}

/// How to accept a code.
public struct CodeOptions: Sendable {
    /// The alias for a new contact.
    public var alias: String?
    /// The contact that the code must come from; nil for any.
    public var contact: PeerID?
    /// Whether the user read the code from the contact's own screen.
    public var isInPerson: Bool
    /// Whether the user confirmed the REVOKE of an unknown identity, or a new PeerID for a contact of an older program.
    public var isConfirmed: Bool
    /// The contents of my own code, if a reply is due.
    public var reply: OfferRequest
    /// The code to accept if a message carries several.
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
