internal import HSIP
internal import RecordStore

extension LoadedBook {
    /// The change set of an act: what it touched and, unless it was refused, what time had changed.
    func changes(to next: Book, isRefused: Bool = false) throws(VaultError) -> ChangeSet? {
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
                do {
                    set.delete(try HSIPRecords.id(of: key), expecting: revisions[key])
                } catch {
                    throw VaultError(error)
                }
            }
        }
        return set
    }

    /// The contact whose key an act replaces, by the key that was and the one that is; nil for none.
    func successor(in next: Book) -> (old: PeerID, new: PeerID)? {
        var (old, new): (PeerID?, PeerID?)
        for case .contact(let peer) in next.touched {
            if book.contacts[peer] != nil, next.contacts[peer] == nil { old = peer }
            if book.contacts[peer] == nil, next.contacts[peer] != nil { new = peer }
        }
        guard let old, let new else { return nil }
        return (old, new)
    }

    /// The contacts that an act gives another name.
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
