public import HSIP

/// The result of an operation, ready for display: everything in it is already durable.
public struct Reply: Codable, Sendable {
    /// The result of the protocol.
    public let result: Outcome.Result
    /// The code to show, if one is due.
    public let code: ExchangeCode?
    /// Whether nothing was written: the code was shown before, or nothing had to be made for it.
    public let isCached: Bool
    /// The contact concerned, as it is now.
    public let contact: ContactSummary?
    /// Whether no contact had this name before: the operation created or renamed the contact.
    public let isNew: Bool
    /// The pairing concerned.
    public let pairing: PairingID?
    /// Warnings and notes.
    public let notices: [Notice]

    init(_ acted: Vault.Acted, wallClock: UInt64) {
        let (outcome, book) = (acted.outcome, acted.book)
        result = outcome.result
        code = outcome.code
        isCached = book.touched.isEmpty
        pairing = outcome.pairing
        notices = outcome.notices
        let moment = book.clock.moment(wallClock: wallClock)
        contact = outcome.contact.flatMap { book.contacts[$0] }
            .map { ContactSummary($0, in: book, at: moment) }
        let alias = contact?.alias
        isNew = alias != nil && !acted.loaded.book.contacts.values.contains { $0.alias == alias }
    }

    /// The session of `pairing`, or if it has none, the session that sends to the contact.
    public var session: SessionSummary? {
        contact?.sessions.first { $0.pairing == pairing } ?? contact?.sending
    }
}
