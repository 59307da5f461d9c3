public import HSIP
internal import RecordStore

extension Vault {
    /// Lists all contacts, ordered by alias.
    public func contacts(inTrash: Bool = false) throws(VaultError) -> [ContactSummary] {
        let loaded = try load(.shown, wallClock: now())
        let book = loaded.book
        let moment = book.clock.moment(wallClock: now())
        return book.contacts.values
            .filter { ($0.trashedAt != nil) == inTrash }
            .sorted { $0.alias < $1.alias }
            .map { ContactSummary($0, in: book, at: moment, created: loaded.created(of: $0.peerID)) }
    }

    /// Returns the contact with an alias, also from the trash.
    public func contact(_ alias: String) throws(VaultError) -> ContactSummary {
        let loaded = try load(.shown, wallClock: now())
        let book = loaded.book
        let contact: Contact
        do { contact = try book.named(alias) } catch {
            // The unreadable record may be this contact's.
            if error == .hsip(.unknownContact), let damaged = loaded.damaged.first(where: { $0.isContact }) {
                throw .store(.tampered(damaged.tampered))
            }
            throw error
        }
        return ContactSummary(
            contact,
            in: book,
            at: book.clock.moment(wallClock: now()),
            created: loaded.created(of: contact.peerID)
        )
    }

    /// Returns the alias of a PeerID, for messages about it; nil if no contact has it.
    ///
    /// The lookup reads one record, on the thread of the caller.
    public nonisolated func alias(of peer: PeerID) throws(VaultError) -> String? {
        try reading { reader in
            try reader.alias(of: peer)
        }
    }

    /// Changes alias, note or the requirement of verification.
    public func setContact(_ alias: String, _ change: ContactChange) throws(VaultError) -> Reply {
        try act { book in .setContact(try book.named(alias).peerID, change) }
    }

    /// Records that a contact's program does not support suite 02 (`one`), or may support it now (`two`).
    ///
    /// Suite 01 also removes the pin of a contact who had suite 02, and withdraws the codes that the program cannot read.
    public func setSuite(_ suite: Suite, of alias: String) throws(VaultError) -> Reply {
        try act { book in .setSuite(try book.named(alias).peerID, suite) }
    }

    /// Moves a contact to the trash; the reply has the REVOKE notice to send, if one could be made.
    public func removeContact(_ alias: String) throws(VaultError) -> Reply {
        try act { book in .removeContact(try book.named(alias).peerID) }
    }

    /// Restores a contact from the trash, without the sessions.
    public func restoreContact(_ alias: String) throws(VaultError) -> Reply {
        try act { book in .restoreContact(try book.named(alias).peerID) }
    }

    /// Replaces the pinned key of a contact by the key in the contact's code.
    ///
    /// - Parameters:
    ///   - alias: the contact whose key is replaced.
    ///   - code: an offer, or an answer to an offer of this vault, with the new key.
    ///   - number: the safety number of the new key, which the person supplied.
    /// - Returns: the contact with the new key, and the notices for the user.
    /// - Throws: `verifyMismatch` if the number does not belong to the new key; then nothing changes.
    public func trustNewKey(
        _ alias: String,
        from code: ExchangeCode,
        expecting number: String
    ) throws(VaultError) -> Reply {
        try act { book in
            let peer = try book.named(alias).peerID
            let claim = try book.claim(in: code)
            let expected = try SafetyNumber(book.identity.publicKey, claim.key)
            guard expected.matches(number) else { throw HSIPError.verifyMismatch }
            return .trustNewKey(peer, code)
        }
    }

    /// Runs an event on the whole book, and returns the reply.
    func act(_ event: (Book) throws -> Event) throws(VaultError) -> Reply {
        Reply(try perform(.all, event), wallClock: now())
    }
}

extension RecordReader {
    /// The alias of a contact, read without opening the record; nil for no contact.
    func alias(of peer: PeerID) throws(StoreError) -> String? {
        try info(try HSIPRecords.id(of: .contact(peer)))?.attributes["alias"]
    }
}

extension DamagedRecord {
    /// Whether the record may be a contact.
    fileprivate var isContact: Bool { kind == nil || kind == HSIPRecords.contact }
}

/// The facts about one contact, without any secret key.
public struct ContactSummary: Sendable, Codable {
    /// The contact.
    public let contact: Contact
    /// The contact's sessions, the sending session first.
    public let sessions: [SessionSummary]
    /// Ended sessions that are still remembered, the latest end first.
    public let ended: [EndedSession]
    /// When the record was made, Unix seconds; nil in the result of an operation that made or changed the contact.
    public let created: UInt64?

    /// The alias of the contact.
    public var alias: String { contact.alias }
    /// The session for sending.
    public var sending: SessionSummary? { sessions.first { $0.isSending } }

    init(_ contact: Contact, in book: Book, at moment: Moment, created: UInt64? = nil) {
        self.contact = contact
        self.created = created
        sessions = SessionSummary.all(of: contact, in: book, at: moment)
        ended = EndedSession.all(of: contact.peerID, in: book)
    }
}
