extension Book {
    /// Takes over what only ever grows from the vault that this book, an older copy of it, replaces.
    ///
    /// That is ended identities, one's own that was renewed, sessions and offers, doubts, replaced pins, the trash, the clock
    /// mark.
    /// Sessions and contacts that only the newer one has are not brought: they are not in the copy, which is
    /// what a person wants back. Nor is trust, but for the pin that took the place of one of the copy.
    ///
    /// - Parameters:
    ///   - newer: the book of the vault that is replaced.
    ///   - successors: contacts of the copy that have another key by now: the PeerID before, and the one since.
    ///   - isWhole: whether nothing newer than that vault was ever seen; if not, no contact counts as compared.
    ///   - moment: the time of the act, at which sessions end here.
    /// - Returns: the contacts that the newer book speaks for.
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
        // The copy's own identity has ended since, and every session with it.
        if isRenewed {
            endAllSessions(at: moment)
            put(newer.identity)
        }
        return known
    }

    /// The contact under the key that took the place of the one in the copy, with the name it has there.
    private func successor(of contact: Contact, _ later: Contact) -> Contact {
        var successor = later
        successor.alias = contact.alias
        successor.note = contact.note
        successor.requiresVerification = contact.requiresVerification
        if contact.suiteRule == .onlyTwo { successor.suiteRule = .onlyTwo }
        // Sessions of the new key are not in the copy; those of the old one ended with it.
        successor.pairings = contact.pairings
        return successor
    }

    /// Ends what ended in the newer book, or is so long gone that it is not remembered there.
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
    /// What only grows, from the same contact in a newer vault.
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
