public import HSIP
public import VaultCrypto

/// A message that may leave: its number is durable.
public struct SealedMessage: Sendable, Codable {
    /// The message.
    public let envelope: MessageEnvelope
    /// The contact it is for.
    public let contact: String
    /// Messages sealed under this key, this one included.
    public let sent: UInt16
    /// The most it may seal.
    public let limit: UInt16
    /// When the key ends, Unix seconds.
    public let endsAt: UInt64
    /// Warnings and notes.
    public let notices: [Notice]
}

/// A message that was opened, or one of my own.
public struct ReadMessage: Sendable, Codable {
    /// The text; nil for a message of my own.
    public let plaintext: Secret?
    /// Who sealed it; nil for my own.
    public let contact: String?
    /// It was read before.
    public let isReread: Bool
    /// Warnings and notes.
    public let notices: [Notice]
}

extension Vault {
    /// Seals one text for a contact.
    ///
    /// - Throws: `badPlaintext`, `rekeyRequired`, `restored`, `sessionExpired`, `lapsed`, `revoked`,
    ///   `noSession`, `clockSuspect`, `notVerified`; nothing is written then.
    public func encrypt(_ plaintext: Secret, to alias: String) throws(VaultError) -> SealedMessage {
        let prepared = try seal(for: alias) { .send($0, plaintext: plaintext) }
        return try asVaultError { try prepared.message(plaintext) }
    }

    /// Reserves a number for a contact: it is durable before anything is sealed with it.
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

    /// Opens one message; what it says is returned only after it is durable that it was read.
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
