public import HSIP
public import VaultCrypto

/// A message that may be sent: its number is durable.
public struct SealedMessage: Sendable, Codable {
    /// The message.
    public let envelope: MessageEnvelope
    /// The alias of the recipient.
    public let contact: String
    /// Messages sealed under this key, this message included.
    public let sent: UInt16
    /// The most messages that the key may seal.
    public let limit: UInt16
    /// Expiry of the key, Unix seconds.
    public let endsAt: UInt64
    /// Warnings and notes.
    public let notices: [Notice]
}

/// An opened message, or a message of this vault.
public struct ReadMessage: Sendable, Codable {
    /// The text; nil for a message of this vault.
    public let plaintext: Secret?
    /// The alias of the sender; nil for a message of this vault.
    public let contact: String?
    /// Whether the message was read before.
    public let isReread: Bool
    /// Warnings and notes.
    public let notices: [Notice]
}

extension Vault {
    /// Seals one text for a contact.
    ///
    /// - Throws: `badPlaintext`, `rekeyRequired`, `restored`, `sessionExpired`, `lapsed`, `revoked`, `noSession`,
    ///   `clockSuspect`, `notVerified`. After an error nothing is written.
    public func encrypt(_ plaintext: Secret, to alias: String) throws(VaultError) -> SealedMessage {
        let prepared = try seal(for: alias) { .send($0, plaintext: plaintext) }
        return try asVaultError { try prepared.message(plaintext) }
    }

    /// Reserves a message number for a contact; the number is durable before anything is sealed with it.
    func seal(
        for alias: String,
        _ event: (PeerID) -> Event
    ) throws(VaultError) -> PreparedMessage {
        let acted = try perform(.sending([alias])) { book in
            let contact = try book.named(alias)
            guard contact.isVerified || !contact.requiresVerification else { throw VaultError.notVerified }
            return event(contact.peerID)
        }
        guard case .reserved(let reserved) = acted.outcome.product else { throw .hsip(.noSession) }
        return PreparedMessage(
            reserved: reserved,
            contact: acted.outcome.contact.flatMap { acted.book.contacts[$0]?.alias } ?? alias,
            notices: acted.outcome.notices
        )
    }

    /// Opens one message; its text is returned only after its reading is stored durably.
    public func decrypt(
        _ envelope: MessageEnvelope,
        from alias: String? = nil,
        isReread: Bool = false
    ) throws(VaultError) -> ReadMessage {
        let acted = try perform(.reading(envelope, from: alias)) { book in
            .read(
                envelope,
                ReadRequest(from: try alias.map(book.named)?.peerID, isReread: isReread)
            )
        }
        guard case .opened(let opened) = acted.outcome.product else {
            return ReadMessage(plaintext: nil, contact: nil, isReread: false, notices: acted.outcome.notices)
        }
        return ReadMessage(
            plaintext: opened.plaintext,
            contact: acted.book.contacts[opened.sender]?.alias,
            isReread: opened.isReread,
            notices: acted.outcome.notices
        )
    }
}

/// A reserved message, and its contact.
struct PreparedMessage {
    let reserved: ReservedMessage
    let contact: String
    let notices: [Notice]

    /// Seals the plaintext that the message was reserved for.
    func message(_ plaintext: Secret) throws -> SealedMessage {
        SealedMessage(
            envelope: try reserved.seal(plaintext),
            contact: contact,
            sent: reserved.sent,
            limit: reserved.limit,
            endsAt: reserved.endsAt,
            notices: notices
        )
    }
}

extension Vault {
    /// Finds the distinct codes in a message, without reading it.
    ///
    /// Nothing is committed: a new message stays new, and may be opened or passed to `accept(carriedBy:)` afterwards. A
    /// message that was read before is opened again.
    ///
    /// - Parameters:
    ///   - envelope: the message.
    ///   - alias: the contact whose key opens the message, if the header does not name the contact.
    /// - Returns: previews of codes from others; if there are none, previews of this vault's own codes.
    /// - Throws: the errors of `decrypt` and `codes`; `noCode` if the message has no code or is from this vault.
    public func peek(
        _ envelope: MessageEnvelope,
        from alias: String? = nil
    ) throws(VaultError) -> [CodePreview] {
        let wallClock = now()
        // Only the contact is loaded: a text may hold thousands of messages, and most contain no code.
        var book = try load(.reading(envelope, from: alias), wallClock: wallClock).book
        let request = ReadRequest(from: try alias.map(book.named)?.peerID, isReread: true)
        let codes = try asVaultError {
            let outcome = try book.reduce(.read(envelope, request), wallClock: wallClock, entropy: entropy)
            if let refusal = outcome.refusal { throw refusal }
            guard case .opened(let opened) = outcome.product else { throw HSIPError.noCode }
            var text = opened.plaintext.withBytes { $0.copied() }
            defer { text.wipe() }
            return try CodeText.codes(in: text)
        }
        let whole = try self.book()
        let previews = codes.map { CodePreview($0, in: whole) }
        let others = previews.filter { !$0.isOwn }
        return others.isEmpty ? previews : others
    }

    /// Accepts the code in a message; opening the message and accepting the code are one commit.
    ///
    /// If the code is refused, the message stays unread.
    ///
    /// - Parameters:
    ///   - chosen: the code to accept, if the message has several.
    ///   - envelope: the message.
    ///   - options: the alias for a new contact, and the facts that the user has confirmed.
    /// - Returns: the result of accepting the code, as from `accept` of a code alone.
    /// - Throws: the errors of `decrypt` and `accept`; `noCode` if the message has no code, or not this code.
    public func accept(
        _ chosen: ExchangeCode? = nil,
        carriedBy envelope: MessageEnvelope,
        _ options: AcceptOptions = AcceptOptions()
    ) throws(VaultError) -> Reply {
        let acted = try perform(.carried(envelope)) { book in
            var request = try options.request(in: book)
            request.chosen = chosen
            return .takeInside(envelope, request)
        }
        return Reply(acted, wallClock: now())
    }
}
