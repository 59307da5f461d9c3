public import HSIP

/// The result of an operation, ready to be shown: everything in it is durable already.
public struct Reply: Codable, Sendable {
    /// The result of the protocol.
    public let result: Outcome.Result
    /// The code to show, if one is due.
    public let code: ExchangeCode?
    /// The code was shown before, or nothing had to be made for it: nothing was written.
    public let isCached: Bool
    /// The contact concerned, as it is now.
    public let contact: ContactSummary?
    /// No contact had its name before: it was made by this, or it was renamed.
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

    /// The session concerned, if it lives.
    public var session: SessionSummary? {
        contact?.sessions.first { $0.pairing == pairing } ?? contact?.sending
    }
}
