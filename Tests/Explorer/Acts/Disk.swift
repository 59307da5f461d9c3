internal import HSIP
internal import VaultCrypto

/// The records of one vault as bytes: what is durable, and nothing else.
///
/// A book lives from one act to the next only through these bytes, so what an act does not name in its change set
/// is lost here as it would be in a store.
struct Disk: Hashable, Sendable {
    /// Content by record, without the identity, which never changes.
    private(set) var contents: [Book.Key: [UInt8]] = [:]
    /// Records that predate the last restore.
    private(set) var restored: Set<Book.Key> = []

    /// Nothing is there yet.
    init() {}

    /// What an act would find: the records, brought up to the moment.
    func book(of identity: Identity, wallClock: UInt64) throws(HSIPError) -> Book {
        var mark = ClockMark()
        if let bytes = contents[.clock] { mark = try RecordContent.clock(Self.secret(bytes)) }
        var book = Book(identity: identity, clock: mark)
        book.picture = { (secret, _) throws(HSIPError) in
            secret.withBytes { bytes in
                (0..<12).map { bytes.byte(at: $0) % 60 }
            }
        }
        var predating = Book.Restored()
        for (key, bytes) in contents {
            let content = try Self.secret(bytes)
            switch key {
            case .identity, .clock: break
            case .contact(let peer):
                book.load(try RecordContent.contact(content, peerID: peer))
                if restored.contains(key) { predating.contacts.insert(peer) }
            case .pairing(let id):
                book.load(try RecordContent.pairing(content, id: id))
                if restored.contains(key) { predating.pairings.insert(id) }
            case .offer(let ref):
                book.load(try RecordContent.offer(content, ref: ref))
                if restored.contains(key) { predating.offers.insert(ref) }
            case .revoked(let peer): book.load(try RecordContent.revoked(content), of: peer)
            case .seen(let row): book.load(try RecordContent.seen(content), at: row)
            }
        }
        book.settle(restored: predating, at: mark.moment(wallClock: wallClock))
        return book
    }

    /// Commits what an act named, and with it what time had changed, unless the act was refused.
    mutating func commit(_ book: Book, isRefused: Bool) throws(HSIPError) {
        guard !book.touched.isEmpty else { return }
        for key in isRefused ? book.touched : book.touched.union(book.settled) {
            contents[key] = try Self.bytes(of: key, in: book)
            restored.remove(key)
        }
    }

    /// Puts older records in place of these, and says so of each of them.
    mutating func restore(_ backup: Disk, marks: Bool = true) {
        contents = backup.contents
        restored = marks ? Set(backup.contents.keys) : []
    }

    /// The same, but for what the book of the backup has taken over from the records that it replaces.
    mutating func restore(_ backup: Disk, carrying book: Book) throws(HSIPError) {
        restore(backup)
        for key in book.touched {
            contents[key] = try Self.bytes(of: key, in: book)
            restored.remove(key)
        }
    }

    /// Writes a contact as it is given.
    mutating func put(_ contact: Contact) throws(HSIPError) {
        contents[.contact(contact.peerID)] = try RecordContent.encode(contact).withBytes { $0.copied() }
    }

    /// Loses a record.
    mutating func lose(_ key: Book.Key) {
        contents[key] = nil
        restored.remove(key)
    }

    private static func secret(_ bytes: [UInt8]) throws(HSIPError) -> Secret {
        do throws(CryptoError) {
            return try Secret(copying: bytes)
        } catch {
            throw HSIPError(error)
        }
    }

    private static func bytes(of key: Book.Key, in book: Book) throws(HSIPError) -> [UInt8]? {
        let content: Secret? =
            switch key {
            case .identity: try RecordContent.encode(book.identity)
            case .clock: try RecordContent.encode(book.clock)
            case .contact(let peer): try book.contacts[peer].map(RecordContent.encode)
            case .pairing(let id): try book.pairings[id].map(RecordContent.encode)
            case .offer(let ref): try book.offers[ref].map(RecordContent.encode)
            case .revoked(let peer): try book.revoked[peer].map(RecordContent.encode)
            case .seen(let row): try book.seen[row].map(RecordContent.encode)
            }
        return content?.withBytes { $0.copied() }
    }
}
