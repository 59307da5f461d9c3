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
