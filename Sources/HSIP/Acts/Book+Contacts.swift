internal import VaultCrypto

extension Book {
    /// Changes my own facts about a contact.
    mutating func set(_ id: PeerID, _ change: ContactChange) throws(HSIPError) -> Outcome {
        var contact = try contact(id)
        var notices: [Notice] = []
        if let alias = change.alias, alias != contact.alias {
            guard Alias.isValid(alias) else { throw .malformed }
            if let other = holder(of: alias) {
                throw .nameCollision(existing: other.peerID, new: id)
            }
            contact.alias = alias
            let folded = PeerName.folded(alias)
            notices = contacts.values
                .filter { $0.peerID != id && PeerName.folded($0.alias) == folded }
                .map { .nameLooksAlike($0.peerID) }
        }
        if let note = change.note {
            guard note.utf8.count <= Contact.longestNote, PeerName.isClean(note) else { throw .malformed }
            contact.note = note
        }
        if let required = change.requiresVerification { contact.requiresVerification = required }
        put(contact)
        return Outcome(.done, contact: id, notices: notices)
    }

    /// Sets whether the contact's program knows suite 02, on the user's word; only this removes the pin to suite 02.
    mutating func setSuite(_ suite: Suite, of id: PeerID) throws(HSIPError) -> Outcome {
        var contact = try contact(id)
        let before = contact.suiteRule
        switch suite {
        case .one: contact.suiteRule = .onlyOne
        case .two: if before == .onlyOne { contact.suiteRule = .any }
        }
        guard contact.suiteRule != before else { return Outcome(.done, contact: id, notices: [.alreadyDone]) }
        if suite == .one { withdrawCodes(forOldProgramOf: contact) }
        put(contact)
        return Outcome(.done, contact: id)
    }

    /// Moves a contact to the trash: makes the notice, then ends the sessions; the pin stays in the record.
    mutating func removeContact(_ id: PeerID, at moment: Moment) throws(HSIPError) -> Outcome {
        var contact = try contact(id)
        let notice = try notice(for: contact, reason: .ended, at: moment)
        endAll(of: &contact, byPeer: false, reason: .ended, at: moment)
        // In the record, 0 means "not in the trash", so the stored time is at least 1.
        contact.trashedAt = max(moment.effective, 1)
        put(contact)
        return Outcome(.ended, code: notice.map { .revoke($0) }, contact: id)
    }

    /// Restores a contact from the trash, with pin, trust and note, but without the sessions.
    mutating func restoreContact(_ id: PeerID) throws(HSIPError) -> Outcome {
        guard var contact = contacts[id] else { throw .unknownContact }
        guard contact.trashedAt != nil else { return Outcome(.done, contact: id, notices: [.alreadyDone]) }
        contact.trashedAt = nil
        put(contact)
        return Outcome(.done, contact: id)
    }

    /// Replaces the pinned key of a contact; no other event does.
    ///
    /// Trust starts again and the old sessions end; the caller has compared the new safety number.
    mutating func trustNewKey(
        of id: PeerID,
        from code: ExchangeCode,
        at moment: Moment
    ) throws(HSIPError) -> Outcome {
        let old = try contact(id)
        let claim = try claim(in: code)
        guard claim.peerID != id else { return Outcome(.done, contact: id, notices: [.alreadyDone]) }
        guard claim.peerID != identity.peerID else { throw .selfPairing }
        guard contacts[claim.peerID] == nil else { throw .identityKnown(as: claim.peerID) }
        guard revoked[claim.peerID] == nil else { throw .identityRevoked }
        var contact = old
        endAll(of: &contact, byPeer: false, reason: .none, at: moment)
        contact.peerID = claim.peerID
        contact.identityKey = claim.key
        if !claim.name.isEmpty { contact.sentName = claim.name }
        contact.trust = .unverified
        contact.verifiedAt = nil
        contact.verification = .none
        contact.isRepaired = false
        contact.isUncompared = false
        remove(contact: id)
        put(contact)
        return Outcome(.done, contact: claim.peerID)
    }

    /// Whether I made a code: an offer or answer in my name, my VERIFY, a ROTATE or ACCEPT that is still shown.
    public func isOwn(_ code: ExchangeCode) -> Bool {
        switch code {
        case .offer(let offer): return offer.peerID == identity.peerID
        case .answer(let answer): return answer.peerID == identity.peerID
        case .rotate(let rotate):
            return pairings.values.contains { $0.rotation?.out?.rotate == rotate }
        case .accept(let accept):
            return pairings.values.contains { $0.rotation?.next?.accept == accept }
        case .revoke(let revoke): return revoke == identity.revocation
        case .verify(let verify):
            let mine = try? SafetyNumber.fingerprint(of: identity.publicKey)
            return mine.map { ConstantTime.equal(verify.senderFingerprint, $0.prefix(32)) } ?? false
        }
    }

    /// The identity key in an OFFER, or in an ANSWER to an offer of mine, after its signature was checked.
    public func claim(
        in code: ExchangeCode
    ) throws(HSIPError) -> (peerID: PeerID, key: [UInt8], name: String) {
        switch code {
        case .offer(let offer):
            try offer.verifySignature()
            return (offer.peerID, offer.identityKey, offer.name)
        case .answer(let answer):
            guard case .mine(let mine, _, _) = offers[answer.offerRef]?.side else { throw .unknownOffer }
            let transcript = KeySchedule.pairingTranscript(
                offerHash: mine.transcriptHash,
                answerUnsigned: answer.unsignedBytes
            )
            try KeySchedule.verifyAnswer(
                answer.signature,
                transcript: transcript,
                confirm: answer.confirm,
                publicKey: answer.identityKey
            )
            return (answer.peerID, answer.identityKey, answer.name)
        case .rotate, .accept, .revoke, .verify:
            throw .noCode
        }
    }
}

extension Contact {
    /// The longest note, in bytes of UTF-8.
    public static let longestNote = 1_000
}
