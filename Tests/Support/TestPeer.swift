public import HSIP
public import VaultCrypto

/// One person in memory: a book, its records as bytes, a clock and a seeded stream of randomness.
///
/// Every act is done as a vault does it: load, settle, reduce a copy, write what was touched, read it back. So
/// whatever is not in the change set, or does not survive its bytes, is lost here too.
public final class TestPeer {
    /// What a backup would hold.
    public struct Stored: Sendable {
        /// The book as the records say.
        public fileprivate(set) var book: Book
        /// Its records.
        public fileprivate(set) var records: TestRecords
        /// Records that predate the last restore.
        fileprivate var restored: Set<Book.Key> = []
    }

    /// What is durable.
    public private(set) var stored: Stored
    /// The shared clock.
    public let clock: TestClock
    /// How far this person's clock is off, in seconds.
    public var skew: Int64 = 0
    /// Where one-time keys and nonces come from.
    public var entropy: Entropy

    /// Someone new; the same name makes the same identity.
    public init(_ name: String, clock: TestClock) throws {
        self.clock = clock
        entropy = .seeded(Array(name.utf8))
        let identity = try Identity.make(name: name, entropy: entropy, wallClock: clock.now)
        stored = Stored(book: Book(identity: identity), records: TestRecords())
    }

    /// Someone who goes on from what was stored, with other randomness.
    public init(_ stored: Stored, clock: TestClock, seed: String) {
        self.stored = stored
        self.clock = clock
        entropy = .seeded(Array(seed.utf8))
    }

    /// The durable book.
    public var book: Book { stored.book }
    /// My name for others.
    public var id: PeerID { book.identity.peerID }
    /// What this person's clock shows.
    public var wallClock: UInt64 { UInt64(Int64(clock.now) + skew) }

    /// The book as an act would find it: with what time and a restore changed, nothing of it written.
    public var settled: Book {
        var restored = Book.Restored()
        for case .contact(let peer) in stored.restored { restored.contacts.insert(peer) }
        for case .pairing(let id) in stored.restored { restored.pairings.insert(id) }
        for case .offer(let ref) in stored.restored { restored.offers.insert(ref) }
        var book = stored.book
        book.settle(restored: restored, at: book.clock.moment(wallClock: wallClock))
        return book
    }

    /// Does an act and makes it durable; a refusal is thrown, after what it writes is durable.
    @discardableResult
    public func perform(_ event: Event) throws -> Outcome {
        var next = settled
        let outcome = try next.reduce(event, wallClock: wallClock, entropy: entropy)
        try keep(next)
        if let refusal = outcome.refusal { throw refusal }
        return outcome
    }

    /// The error with which an act is refused; nil if it is done.
    public func refusal(_ event: Event) throws -> HSIPError? {
        do {
            try perform(event)
            return nil
        } catch let error as HSIPError {
            return error
        }
    }

    /// Makes durable what an act touched and, with it, what time had changed.
    func keep(_ next: Book) throws {
        guard !next.touched.isEmpty else { return }
        for key in next.touched.union(next.settled) {
            stored.book = try stored.records.write(key, of: next, into: stored.book)
            stored.restored.remove(key)
        }
    }

    /// Puts a backup in place of what is there.
    public func restore(_ backup: Stored) {
        let restored = Set(backup.records.contents.keys)
        stored = backup
        stored.restored = restored
    }

    /// Puts a value in place that would take thousands of acts to reach.
    public func plant(_ pairing: Pairing) throws {
        var next = stored.book
        next.load(pairing)
        stored.book = try stored.records.write(.pairing(pairing.id), of: next, into: stored.book)
    }

    /// Puts a value in place that would take many acts to reach.
    public func plant(_ contact: Contact) throws {
        var next = stored.book
        next.load(contact)
        stored.book = try stored.records.write(.contact(contact.peerID), of: next, into: stored.book)
    }
}
