extension Book {
    /// The contact for a new pairing (Schemas/hsip-xc1.md section 5, "Slot").
    struct Slot {
        var contact: Contact
        /// The PeerID that an older program had stored for this person.
        var movedFrom: PeerID?
        var isNew: Bool
        var notices: [Notice]
    }

    /// The contact for a new pairing, found by the identity in the peer's code.
    ///
    /// An identity is pinned per contact: a new key is a new PeerID, so the PeerID alone never shows a
    /// change.
    ///
    /// - Parameters:
    ///   - peerID: the PeerID of the identity in the code.
    ///   - key: the Ed25519 key of that identity, 32 bytes.
    ///   - sentName: the name that the peer chose; may be empty.
    ///   - alias: the user's name for the contact; nil for a name made from `sentName`.
    ///   - named: the contact that the user named, or to which my offer was bound.
    /// - Returns: the contact with the key pinned, and notices for the user; nothing is stored yet.
    /// - Throws: `identityKnown` if the identity belongs to another contact than the intended one; `identityChanged` if
    ///   the intended contact has another key; `nameCollision` if another contact has the alias; `malformed` for an
    ///   invalid alias; `unknownContact`.
    func slot(
        for peerID: PeerID,
        key: [UInt8],
        sentName: String,
        alias: String?,
        named: PeerID?
    ) throws(HSIPError) -> Slot {
        if let known = contacts[peerID] {
            if let named, named != peerID { throw .identityKnown(as: peerID) }
            guard known.trashedAt == nil else {
                return try fromTrash(known, alias: alias, key: key, sentName: sentName)
            }
            // One identity is one contact: another name is refused, and the error has the known name.
            if let alias, alias != known.alias { throw .identityKnown(as: peerID) }
            return existing(known, key: key, sentName: sentName)
        }
        if let named {
            let contact = try contact(named)
            return try upgrade(contact, to: peerID, key: key, sentName: sentName)
        }
        if let alias, let holder = holder(of: alias) {
            // --as with the name of an existing contact means that contact.
            if holder.trashedAt == nil {
                return try upgrade(holder, to: peerID, key: key, sentName: sentName)
            }
            throw .nameCollision(existing: holder.peerID, new: peerID)
        }
        let name = alias ?? Alias.suggestion(sentName: sentName, peerID: peerID)
        guard Alias.isValid(name) else { throw .malformed }
        if let holder = holder(of: name) { throw .nameCollision(existing: holder.peerID, new: peerID) }
        let fresh = Contact(peerID: peerID, identityKey: key, sentName: sentName, alias: name)
        return Slot(
            contact: fresh,
            movedFrom: nil,
            isNew: true,
            notices: lookAlikes(of: name, besides: peerID)
        )
    }

    private func existing(_ known: Contact, key: [UInt8], sentName: String) -> Slot {
        var contact = known
        if !sentName.isEmpty { contact.sentName = sentName }
        guard contact.identityKey != nil else {
            // An older program stored the true PeerID: the key matches and is pinned without a question.
            contact.identityKey = key
            return Slot(contact: contact, movedFrom: nil, isNew: false, notices: [])
        }
        contact.isRepaired = true
        return Slot(contact: contact, movedFrom: nil, isNew: false, notices: [.repairedNotReverified])
    }

    /// Restores the contact of this identity from the trash, with pin, trust and note.
    private func fromTrash(
        _ known: Contact,
        alias: String?,
        key: [UInt8],
        sentName: String
    ) throws(HSIPError) -> Slot {
        var slot = existing(known, key: key, sentName: sentName)
        slot.contact.trashedAt = nil
        guard let alias, alias != known.alias else { return slot }
        if let other = holder(of: alias) { throw .nameCollision(existing: other.peerID, new: known.peerID) }
        guard Alias.isValid(alias) else { throw .malformed }
        slot.contact.alias = alias
        return slot
    }

    /// Gives a named contact the key in the code; only a contact without any key accepts it.
    private func upgrade(
        _ contact: Contact,
        to peerID: PeerID,
        key: [UInt8],
        sentName: String
    ) throws(HSIPError) -> Slot {
        guard contact.identityKey == nil else { throw .identityChanged(old: contact.peerID, new: peerID) }
        var moved = contact
        moved.peerID = peerID
        moved.identityKey = key
        moved.trust = .unverified
        if !sentName.isEmpty { moved.sentName = sentName }
        return Slot(contact: moved, movedFrom: contact.peerID, isNew: false, notices: [])
    }

    /// The contact with an alias, in the trash or not: a name never silently changes its owner.
    public func holder(of alias: String) -> Contact? {
        contacts.values.first { $0.alias == alias }
    }

    private func lookAlikes(of alias: String, besides peerID: PeerID) -> [Notice] {
        let folded = PeerName.folded(alias)
        return contacts.values
            .filter { $0.peerID != peerID && PeerName.folded($0.alias) == folded }
            .map { .nameLooksAlike($0.peerID) }
    }
}
