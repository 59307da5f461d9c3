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
