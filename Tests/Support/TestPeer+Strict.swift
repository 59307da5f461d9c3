public import HSIP
internal import VaultCrypto

/// What a change set may leave out: nothing that changed.
extension TestPeer {
    /// A record that an act changed without naming it in the change set, or named although it was refused.
    public struct NotInChangeSet: Error {
        /// The record.
        public let key: Book.Key
    }

    /// Does an act like `perform`, and compares every record before and after.
    ///
    /// A refusal may write the clock mark, and `offerAlreadyUsed` a contact; the records that an act does not
    /// name must be as they were. Throws `NotInChangeSet`.
    @discardableResult
    public func performStrictly(_ event: Event) throws -> Outcome {
        let before = stored.records
        let found = settled
        var next = found
        do {
            let outcome = try next.reduce(event, wallClock: wallClock, entropy: entropy)
            let named = next.touched.union(next.settled)
            for key in Self.keys(of: next).union(Self.keys(of: found)).subtracting(named) {
                let (now, then) = try (Self.bytes(of: key, in: next), Self.bytes(of: key, in: found))
                if now != then { throw NotInChangeSet(key: key) }
            }
            try keep(next)
            if let refusal = outcome.refusal { throw refusal }
            return outcome
        } catch let error as HSIPError {
            guard next.touched.isEmpty || error.mayWrite else {
                throw NotInChangeSet(key: next.touched.first ?? .clock)
            }
            for key in stored.records.changes(from: before) {
                switch (key, error) {
                case (.clock, _), (.contact, .offerAlreadyUsed): continue
                default: throw NotInChangeSet(key: key)
                }
            }
            throw error
        }
    }

    private static func bytes(of key: Book.Key, in book: Book) throws -> [UInt8]? {
        try TestRecords.content(of: key, in: book)?.withBytes { $0.copied() }
    }

    private static func keys(of book: Book) -> Set<Book.Key> {
        Set(
            [.identity, .clock] + book.contacts.keys.map { .contact($0) }
                + book.pairings.keys.map { .pairing($0) } + book.offers.keys.map { .offer($0) }
                + book.revoked.keys.map { .revoked($0) } + book.seen.keys.map { .seen($0) }
        )
    }
}

extension HSIPError {
    /// The refusals that are remembered.
    fileprivate var mayWrite: Bool {
        switch self {
        case .codeExpired, .offerExpired, .sessionExpired, .lapsed, .offerAlreadyUsed: true
        default: false
        }
    }
}
