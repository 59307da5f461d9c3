public import HSIP
public import RecordStore
public import VaultCrypto

extension Vault {
    /// How the sessions with a contact ended: by the contact's own notice, otherwise by the end of the last session.
    public func ending(of alias: String) throws(VaultError) -> Contact.End? {
        let book = try book()
        let contact = try book.named(alias)
        if let notice = book.revoked[contact.peerID] {
            return Contact.End(byPeer: true, at: notice.seenAt, reason: notice.notice.reason)
        }
        return contact.ended
    }

    /// Finds the ended session that a ROTATE or ACCEPT still names, and the alias of its contact.
    public func ending(
        namedBy code: ExchangeCode
    ) throws(VaultError) -> (end: EndedSession, alias: String?)? {
        let ref: [UInt8]
        switch code {
        case .rotate(let rotate): ref = rotate.ref
        case .accept(let accept): ref = accept.ref
        case .offer, .answer, .revoke, .verify: return nil
        }
        let book = try book()
        for pairing in book.pairings.values where pairing.epochNames.contains(ref) {
            let ended = EndedSession.all(of: pairing.contact, in: book).first { $0.pairing == pairing.id }
            if let ended { return (ended, book.contacts[pairing.contact]?.alias) }
        }
        return nil
    }

    /// The alias of the contact to whom an imported key belongs or belonged; nil if unknown.
    public func owner(of key: borrowing some ByteSource & ~Copyable) throws(VaultError) -> String? {
        let name = try asVaultError { try LegacyKey.name(of: key) }
        guard let bytes = Hex.decode(name), let id = PairingID(bytes: bytes) else { return nil }
        let book = try book()
        return book.pairings[id].flatMap { book.contacts[$0.contact]?.alias }
    }
}

/// A remembered pairing that has ended: the way it ended, never its keys or counters.
public struct EndedSession: Sendable, Hashable, Codable {
    /// The id of the pairing.
    public let pairing: PairingID
    /// The role of this vault.
    public let role: Role
    /// Whether the session was made from an imported key.
    public let isLegacy: Bool
    /// How the session ended.
    public let end: Contact.End

    /// The ended sessions of a contact, the latest end first; they are kept until 30 days after their natural end.
    static func all(of peer: PeerID, in book: Book) -> [EndedSession] {
        book.pairings.values.compactMap { pairing -> EndedSession? in
            guard pairing.contact == peer, case .ended(let end) = pairing.state else { return nil }
            return EndedSession(
                pairing: pairing.id,
                role: pairing.role,
                isLegacy: pairing.profile == .single,
                end: Contact.End(byPeer: end.byPeer, at: end.at, reason: end.reason)
            )
        }
        .sorted { ($1.end.at, $0.pairing) < ($0.end.at, $1.pairing) }
    }
}

/// Closes the open offers of this vault in another commit, which also changes the vault key.
public enum OfferClosing {
    /// The changes that close every open offer of this vault, and the number of these offers.
    ///
    /// - Parameters:
    ///   - reader: The present vault.
    ///   - now: Unix seconds.
    ///   - entropy: The source of randomness.
    /// - Returns: no changes for a vault without an identity or without an open offer.
    /// - Throws: the errors of reading the people of the vault.
    public static func changes(
        _ reader: any RecordReader,
        now: UInt64,
        entropy: Entropy
    ) throws(VaultError) -> (changes: [Change], count: Int) {
        try asVaultError {
            var loaded: LoadedBook
            do { loaded = try LoadedBook(reader) } catch VaultError.noIdentity { return ([], 0) }
            try loaded.loadAll(reader)
            loaded.settle(wallClock: now)
            let open = loaded.book.offers.values.count { offer in
                if case .mine(_, _, .open) = offer.side { true } else { false }
            }
            guard open > 0 else { return ([], 0) }
            var book = loaded.book
            _ = try book.reduce(.closeOffers, wallClock: now, entropy: entropy)
            return (try loaded.changes(to: book)?.changes ?? [], open)
        }
    }
}
