internal import HSIP
internal import RecordStore
internal import VaultCrypto

/// A book as read in one snapshot, with the revisions that its change set expects.
struct LoadedBook {
    var book: Book
    var revisions: [Book.Key: Revision] = [:]
    var uids: [PeerID: (uid: [UInt8], created: UInt64)] = [:]
    /// The generation of the snapshot.
    let generation: UInt64
    let floor: UInt64
    var restored = Book.Restored()
    /// The unreadable records; only for callers that show them beside the rest.
    var damaged: [DamagedRecord] = []

    /// Loads identity and clock; each operation loads the other records that it needs.
    ///
    /// If `isShown` is true, a damaged clock mark counts as missing: data that is only shown seals, wipes and trusts
    /// nothing. If `entropy` is set, an unknown identity replaces a damaged one, for callers that only show other people.
    init(
        _ reader: any RecordReader,
        isShown: Bool = false,
        replacingIdentity entropy: Entropy? = nil
    ) throws {
        floor = reader.floor
        generation = reader.generation
        let me: Identity
        do {
            guard let found = try reader.find(try HSIPRecords.id(of: .identity)) else {
                throw VaultError.noIdentity
            }
            revisions[.identity] = found.info.revision
            me = try RecordContent.identity(found.body)
        } catch StoreError.tampered(.record(let record)) {
            guard let entropy else { throw StoreError.tampered(.record(record)) }
            damaged.append(record)
            me = try Identity.make(name: "-", entropy: entropy, wallClock: 0)
        }
        var mark = ClockMark()
        do {
            if let clock = try reader.find(try HSIPRecords.id(of: .clock)) {
                revisions[.clock] = clock.info.revision
                mark = try RecordContent.clock(clock.body)
            }
        } catch StoreError.tampered(.record(let record)) where isShown {
            damaged.append(record)
        }
        book = Book(identity: me, clock: mark)
    }

    /// When the record of a contact was made, Unix seconds; nil if it was not loaded.
    func created(of peer: PeerID) -> UInt64? { uids[peer].map { $0.created / 1000 } }

    /// The uid and the creation time of a contact's record.
    func origin(of peer: PeerID) -> (uid: [UInt8]?, created: UInt64?) {
        (uids[peer]?.uid, uids[peer]?.created)
    }

    /// Contacts that have another key in a newer vault: the PeerID in this book, and the PeerID there.
    ///
    /// They are recognised by the uid of the record.
    func successors(in newer: LoadedBook) -> [PeerID: PeerID] {
        var successors: [PeerID: PeerID] = [:]
        for contact in book.contacts.values
        where contact.identityKey != nil && newer.book.contacts[contact.peerID] == nil {
            successors[contact.peerID] = newer.uids.first { $0.value.uid == uids[contact.peerID]?.uid }?.key
        }
        return successors
    }

    /// Applies the effects of a restore and of time to the loaded records.
    mutating func settle(wallClock: UInt64) {
        book.settle(restored: restored, at: book.clock.moment(wallClock: wallClock))
    }
}

extension LoadedBook {
    /// The change set of an operation: its own changes and, unless it was refused, the changes that time has made.
    func changes(to next: Book, isRefused: Bool = false) throws -> ChangeSet? {
        guard !next.touched.isEmpty else { return nil }
        var set = ChangeSet(floor: floor)
        var moved: (uid: [UInt8], created: UInt64)?
        for case .contact(let peer) in next.touched where next.contacts[peer] == nil { moved = uids[peer] }
        for key in isRefused ? next.touched : next.touched.union(next.settled) {
            if var draft = try HSIPRecords.draft(of: key, in: next) {
                if case .contact(let peer) = key, revisions[key] == nil, let moved, book.contacts[peer] == nil
                {
                    draft.uid = moved.uid
                    draft.created = moved.created
                }
                set.put(draft, expecting: revisions[key] ?? 0)
            } else {
                set.delete(try HSIPRecords.id(of: key), expecting: revisions[key])
            }
        }
        return set
    }

    /// The contact whose key an operation replaces, by its old and its new key; nil for none.
    func successor(in next: Book) -> (old: PeerID, new: PeerID)? {
        var (old, new): (PeerID?, PeerID?)
        for case .contact(let peer) in next.touched {
            if book.contacts[peer] != nil, next.contacts[peer] == nil { old = peer }
            if book.contacts[peer] == nil, next.contacts[peer] != nil { new = peer }
        }
        guard let old, let new else { return nil }
        return (old, new)
    }

    /// The contacts that an operation renames.
    func renamings(to next: Book) -> [Renaming] {
        next.touched.compactMap { key in
            guard case .contact(let peer) = key, let old = book.contacts[peer]?.alias,
                let new = next.contacts[peer]?.alias, old != new
            else { return nil }
            return Renaming(
                kind: HSIPRecords.contact,
                old: old,
                new: new,
                isOldTaken: next.contacts.values.contains { $0.alias == old }
            )
        }
    }
}
