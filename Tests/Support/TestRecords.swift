public import HSIP
public import VaultCrypto

/// The records of a book as bytes, as a store would keep them.
public struct TestRecords: Sendable, Equatable {
    /// A record whose bytes do not come back from their own value.
    public struct NotCanonical: Error {
        /// The record.
        public let key: Book.Key
    }

    /// Content by record.
    public private(set) var contents: [Book.Key: [UInt8]] = [:]

    init() {}

    /// The records that differ from those of `other`.
    public func changes(from other: TestRecords) -> Set<Book.Key> {
        Set(contents.keys).union(other.contents.keys).filter { contents[$0] != other.contents[$0] }
    }

    /// Writes one record of a book, reads it back, and writes it again: all three must agree.
    ///
    /// - Returns: the book with what was read back in place of what was written.
    mutating func write(_ key: Book.Key, of next: Book, into stored: Book) throws -> Book {
        var parts = Parts(stored)
        guard let content = try Self.content(of: key, in: next) else {
            contents[key] = nil
            parts.remove(key)
            return parts.book
        }
        try parts.read(key, content)
        let book = parts.book
        let bytes = content.withBytes { $0.copied() }
        let again = try Self.content(of: key, in: book)?.withBytes { $0.copied() }
        guard again == bytes else { throw NotCanonical(key: key) }
        contents[key] = bytes
        return book
    }

    /// The content of a record; nil if the book no longer has it.
    public static func content(of key: Book.Key, in book: Book) throws(HSIPError) -> Secret? {
        switch key {
        case .identity: return try RecordContent.encode(book.identity)
        case .clock: return try RecordContent.encode(book.clock)
        case .contact(let peer):
            guard let value = book.contacts[peer] else { return nil }
            return try RecordContent.encode(value)
        case .pairing(let id):
            guard let value = book.pairings[id] else { return nil }
            return try RecordContent.encode(value)
        case .offer(let ref):
            guard let value = book.offers[ref] else { return nil }
            return try RecordContent.encode(value)
        case .revoked(let peer):
            guard let value = book.revoked[peer] else { return nil }
            return try RecordContent.encode(value)
        case .seen(let row):
            guard let value = book.seen[row] else { return nil }
            return try RecordContent.encode(value)
        }
    }
}

/// A book taken apart, so that a record can go as well as come.
private struct Parts {
    var identity: Identity
    var clock: ClockMark
    var contacts: [PeerID: Contact]
    var pairings: [PairingID: Pairing]
    var offers: [[UInt8]: Offer]
    var revoked: [PeerID: RevokedIdentity]
    var seen: [SeenNonces.Key: SeenNonces]

    init(_ book: Book) {
        (identity, clock) = (book.identity, book.clock)
        (contacts, pairings, offers) = (book.contacts, book.pairings, book.offers)
        (revoked, seen) = (book.revoked, book.seen)
    }

    var book: Book {
        Book(
            identity: identity,
            clock: clock,
            contacts: Array(contacts.values),
            pairings: Array(pairings.values),
            offers: Array(offers.values),
            revoked: revoked,
            seen: seen
        )
    }

    mutating func remove(_ key: Book.Key) {
        switch key {
        case .identity, .clock: break
        case .contact(let peer): contacts[peer] = nil
        case .pairing(let id): pairings[id] = nil
        case .offer(let ref): offers[ref] = nil
        case .revoked(let peer): revoked[peer] = nil
        case .seen(let row): seen[row] = nil
        }
    }

    mutating func read(_ key: Book.Key, _ content: Secret) throws(HSIPError) {
        switch key {
        case .identity: identity = try RecordContent.identity(content)
        case .clock: clock = try RecordContent.clock(content)
        case .contact(let peer): contacts[peer] = try RecordContent.contact(content, peerID: peer)
        case .pairing(let id): pairings[id] = try RecordContent.pairing(content, id: id)
        case .offer(let ref): offers[ref] = try RecordContent.offer(content, ref: ref)
        case .revoked(let peer): revoked[peer] = try RecordContent.revoked(content)
        case .seen(let row): seen[row] = try RecordContent.seen(content)
        }
    }
}
