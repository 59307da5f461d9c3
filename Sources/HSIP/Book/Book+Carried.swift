extension Book {
    /// Adds facts that only grow, from the newer vault that this book, an older copy of it, replaces.
    ///
    /// These are ended identities, the renewal of my own identity, ended sessions and offers, doubts, replaced pins,
    /// the trash, and the clock mark. Sessions and contacts that only the newer book has are not added: a person wants
    /// the copy back as it is. Trust is not added either, except for a pin that replaced the copy's.
    ///
    /// - Parameters:
    ///   - newer: the book of the vault that is replaced.
    ///   - successors: contacts of the copy that have another key by now: the PeerID before, and the present one.
    ///   - isWhole: whether nothing newer than that vault was ever seen; if not, no contact counts as compared.
    ///   - moment: the present time, at which sessions end here.
    /// - Returns: the contacts about which the newer book has facts.
    public mutating func carry(
        from newer: Book,
        successors: [PeerID: PeerID],
        isWhole: Bool,
        at moment: Moment
    ) -> [PeerID] {
        let isRenewed = newer.revoked[identity.peerID] != nil
        for (peer, identity) in newer.revoked where revoked[peer] == nil { put(identity, of: peer) }
        for offer in newer.offers.values where !offer.isOpen { put(offer) }
        if newer.clock.mark > clock.mark { put(newer.clock) }
        var known: [PeerID] = []
        for contact in contacts.values.sorted(by: { $0.peerID.hex < $1.peerID.hex }) {
            guard let later = newer.contacts[successors[contact.peerID] ?? contact.peerID] else { continue }
            var merged = contact.peerID == later.peerID ? contact : successor(of: contact, later)
            endSessions(of: &merged, endedIn: newer, at: moment)
            merged.carry(from: later)
            if revoked[merged.peerID] != nil { merged.trust = .revoked }
            if !isWhole { merged.countAsRestored() }
            if contact.peerID != merged.peerID { remove(contact: contact.peerID) }
            put(merged)
            known.append(merged.peerID)
        }
        for pairing in newer.pairings.values {
            if case .ended = pairing.state { put(pairing) }
        }
        // The copy's own identity has ended since, with all its sessions.
        if isRenewed {
            endAllSessions(at: moment)
            put(newer.identity)
        }
        return known
    }

    /// The contact under the key that replaced the copy's key, with the name that the contact has in the copy.
    private func successor(of contact: Contact, _ later: Contact) -> Contact {
        var successor = later
        successor.alias = contact.alias
        successor.note = contact.note
        successor.requiresVerification = contact.requiresVerification
        if contact.suiteRule == .onlyTwo { successor.suiteRule = .onlyTwo }
        // Sessions of the new key are not in the copy; sessions of the old key ended with it.
        successor.pairings = contact.pairings
        return successor
    }

    /// Ends sessions that ended in the newer book, or that it has forgotten since; mutes sessions that are muted there.
    private mutating func endSessions(of contact: inout Contact, endedIn newer: Book, at moment: Moment) {
        for entry in contact.pairings {
            switch newer.pairings[entry.id]?.state {
            case .live:
                let later = newer.contacts.values.lazy.flatMap(\.pairings).first { $0.id == entry.id }
                guard later?.isMuted == true,
                    let index = contact.pairings.firstIndex(where: { $0.id == entry.id })
                else { continue }
                contact.pairings[index].isMuted = true
            case .ended(let end):
                self.end(entry, of: &contact, byPeer: end.byPeer, reason: end.reason, at: moment)
            case nil:
                self.end(entry, of: &contact, byPeer: false, reason: .none, at: moment)
            }
        }
    }
}

extension Contact {
    /// Adds the facts that only grow, from the same contact in a newer vault.
    fileprivate mutating func carry(from later: Contact) {
        switch later.trust {
        case .revoked: trust = .revoked
        case .suspicious where trust != .revoked: trust = .suspicious
        case .suspicious, .unverified, .scanned, .verified: break
        }
        isRepaired = isRepaired || later.isRepaired
        isUncompared = isUncompared || later.isUncompared
        requiresVerification = requiresVerification || later.requiresVerification
        if later.suiteRule == .onlyTwo { suiteRule = .onlyTwo }
        trashedAt = trashedAt ?? later.trashedAt
        if pairings.isEmpty { ended = ended ?? later.ended }
    }
}
