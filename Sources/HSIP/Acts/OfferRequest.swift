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
