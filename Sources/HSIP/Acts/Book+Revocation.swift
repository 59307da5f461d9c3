internal import VaultCrypto

extension Book {
    /// Ends every session with a contact, and returns one notice, made before the keys are wiped (section 9).
    mutating func revokeSessions(
        of id: PeerID,
        reason: RevokeReason,
        at moment: Moment
    ) throws(HSIPError) -> Outcome {
        var contact = try contact(id)
        guard !contact.pairings.isEmpty else { throw contact.ended == nil ? .noSession : .revoked }
        let notice = try notice(for: contact, reason: reason, at: moment)
        endAll(of: &contact, byPeer: false, reason: reason, at: moment)
        put(contact)
        return Outcome(.ended, code: notice.map { .revoke($0) }, contact: id)
    }

    /// The notice under the current epoch of the sending pairing; nil if no key is left for it (an import, a lapsed
    /// session).
    func notice(
        for contact: Contact,
        reason: RevokeReason,
        at moment: Moment
    ) throws(HSIPError) -> RevokeCode? {
        guard let entry = PairingOrder.sending(contact.pairings), !entry.isLegacy,
            let pairing = pairings[entry.id], let current = pairing.rotation?.current,
            let rotateKey = current.keys.rotate
        else { return nil }
        // All compared stamps are from my own clock, so the notice covers every pairing that I made before it.
        let stamps = contact.pairings.filter { !$0.isLegacy }.map(\.ownStamp)
        return try RevokeCode.ofSession(
            name: current.name,
            epoch: current.number,
            rotateKey: rotateKey,
            role: pairing.role,
            seed: identity.seed,
            reason: reason,
            issued: max(moment.wallClock, stamps.max() ?? 0)
        )
    }

    /// Accepts a REVOKE of a session or of an identity.
    ///
    /// A REVOKE never comes too late, and a replayed one changes nothing.
    mutating func take(
        _ code: RevokeCode,
        _ request: CodeOptions,
        at moment: Moment
    ) throws(HSIPError) -> Outcome {
        switch code.scope {
        case .session(let ref, let epoch, let mac):
            try takeSession(code, ref: ref, epoch: epoch, mac: mac, at: moment)
        case .identity(let key):
            try takeIdentity(code, key: key, request, at: moment)
        }
    }

    private mutating func takeSession(
        _ code: RevokeCode,
        ref: [UInt8],
        epoch: UInt32,
        mac: [UInt8],
        at moment: Moment
    ) throws(HSIPError) -> Outcome {
        let named = pairings.values
            .filter { $0.profile == .dual && $0.epochNames.contains(ref) }
            .sorted { $0.id < $1.id }
        var isKnown = false
        for pairing in named {
            guard let rotation = pairing.rotation else { continue }
            isKnown = true
            guard var contact = contacts[pairing.contact], let key = contact.identityKey,
                verifies(code, mac: mac, ref: ref, epoch: epoch, rotation, pairing.role, key)
            else { continue }
            try code.checkTime(at: moment)
            for entry in contact.pairings
            where entry.id == pairing.id || (!entry.isLegacy && entry.peerStamp <= code.header.issued) {
                end(entry, of: &contact, byPeer: true, reason: code.reason, at: moment)
            }
            if contact.pairings.isEmpty {
                contact.ended = Contact.End(byPeer: true, at: moment.effective, reason: code.reason)
            }
            closeOffers(boundTo: contact.peerID)
            put(contact)
            return Outcome(.sessionsEnded(code.reason), contact: contact.peerID, pairing: pairing.id)
        }
        guard !isKnown, let ended = named.first else { throw isKnown ? .badSignature : .unknownSession }
        return Outcome(.done, contact: ended.contact, pairing: ended.id, notices: [.alreadyDone])
    }

    private func verifies(
        _ code: RevokeCode,
        mac: [UInt8],
        ref: [UInt8],
        epoch: UInt32,
        _ rotation: Rotation<HSIPScheme>,
        _ role: Role,
        _ key: [UInt8]
    ) -> Bool {
        let epochs =
            (rotation.next.map { [$0.epoch] } ?? []) + [rotation.current] + rotation.past.map(\.epoch)
        return epochs.contains { live in
            guard live.name == ref, live.number == epoch, let rotateKey = live.keys.rotate else {
                return false
            }
            do {
                try KeySchedule.checkRevokeMAC(
                    mac,
                    rotateKey: rotateKey,
                    role: role.peer,
                    unsigned: code.unsignedBytes
                )
                try KeySchedule.verifyRevoke(
                    code.signature,
                    unsigned: code.signedBytes,
                    publicKey: key
                )
                return true
            } catch {
                return false
            }
        }
    }

    private mutating func takeIdentity(
        _ code: RevokeCode,
        key: [UInt8],
        _ request: CodeOptions,
        at moment: Moment
    ) throws(HSIPError) -> Outcome {
        let peer = try PeerID(identity: key)
        guard peer != identity.peerID else { throw .selfPairing }
        try KeySchedule.verifyRevoke(code.signature, unsigned: code.signedBytes, publicKey: key)
        try code.checkTime(at: moment)
        guard revoked[peer] == nil else {
            return Outcome(.done, contact: contacts[peer]?.peerID, notices: [.alreadyDone])
        }
        let pinned = contacts[peer].flatMap { $0.identityKey == key ? $0 : nil }
        guard pinned != nil || request.isConfirmed else { throw .unknownContact }
        put(RevokedIdentity(notice: code, seenAt: moment.effective), of: peer)
        if var contact = pinned {
            endAll(of: &contact, byPeer: true, reason: code.reason, at: moment)
            contact.trust = .revoked
            put(contact)
        }
        return Outcome(.identityEnded(peer), contact: pinned?.peerID)
    }

    /// Ends my own identity and makes another with the same name; contacts, their pins and their trust stay.
    ///
    /// The notice of the old identity is kept like any other. So no code of the old identity is accepted here, and
    /// restoring an older copy does not bring the old identity back.
    mutating func renewIdentity(at moment: Moment, entropy: Entropy) throws(HSIPError) -> Outcome {
        try requireSoundClock(at: moment)
        let new = try Identity.make(name: identity.name, entropy: entropy, wallClock: moment.wallClock)
        endAllSessions(at: moment)
        _ = closeOffers()
        put(RevokedIdentity(notice: identity.revocation, seenAt: moment.effective), of: identity.peerID)
        put(new)
        return Outcome(.done)
    }

    /// Ends every session of mine, because the identity that signs for the sessions has ended.
    mutating func endAllSessions(at moment: Moment) {
        for var contact in contacts.values where !contact.pairings.isEmpty {
            endAll(of: &contact, byPeer: false, reason: .compromised, at: moment)
            put(contact)
        }
    }

    /// Ends every pairing of a contact and the open offers bound to it.
    mutating func endAll(
        of contact: inout Contact,
        byPeer: Bool,
        reason: RevokeReason,
        at moment: Moment
    ) {
        let had = !contact.pairings.isEmpty
        for entry in contact.pairings { end(entry, of: &contact, byPeer: byPeer, reason: reason, at: moment) }
        if had { contact.ended = Contact.End(byPeer: byPeer, at: moment.effective, reason: reason) }
        closeOffers(boundTo: contact.peerID)
    }

    /// Wipes the keys of one pairing; its names stay, so that no old answer, ACCEPT or ROTATE revives the pairing.
    mutating func end(
        _ entry: PairingEntry,
        of contact: inout Contact,
        byPeer: Bool,
        reason: RevokeReason,
        at moment: Moment
    ) {
        contact.pairings.removeAll { $0.id == entry.id }
        guard var pairing = pairings[entry.id], let rotation = pairing.rotation else { return }
        let names = pairing.epochNames
        let end = max(rotation.current.end, rotation.next?.epoch.end ?? 0, moment.effective)
        pairing.state = .ended(
            Pairing.Ended(
                byPeer: byPeer,
                at: moment.effective,
                reason: reason,
                names: names,
                keptUntil: pairing.profile == .single ? nil : end + Moment.retention
            )
        )
        put(pairing)
        for name in names { forgetNonces(of: name) }
    }
}
