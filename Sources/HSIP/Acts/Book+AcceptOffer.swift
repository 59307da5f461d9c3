internal import VaultCrypto

extension Book {
    /// Accepts an offer (B's role), in the order of Schemas/hsip-xc1.md section 5: parse and signature, known offers,
    /// time, identity, slot, key, and then one change set.
    mutating func take(
        _ offer: OfferCode,
        _ request: CodeOptions,
        at moment: Moment,
        entropy: Entropy
    ) throws(HSIPError) -> Outcome {
        try offer.verifySignature()
        // Checked before the time: the first answer may be needed again late.
        if let known = offers[offer.ref] { return try retake(known, at: moment) }
        try offer.terms.check(at: moment)
        guard offer.peerID != identity.peerID else { throw .selfPairing }
        guard revoked[offer.peerID] == nil else { throw .identityRevoked }
        var slot = try slot(
            for: offer.peerID,
            key: offer.identityKey,
            sentName: offer.name,
            alias: request.alias,
            named: request.contact
        )
        try confirmMove(slot, request)
        try refuseDowngrade(of: slot.contact, to: offer.header.suite)
        try requireSoundClock(at: moment)
        let made = try answer(offer, slot.contact, request, at: moment, entropy: entropy)
        let entry = PairingEntry(
            id: made.pairing.id,
            offerIssued: offer.terms.issued,
            answerIssued: made.answer.terms.issued,
            transcript: made.transcript,
            role: .answerer,
            isConfirmed: false
        )
        slot.contact.pairings.append(entry)
        if offer.header.isFresh {
            guard !slot.contact.pairings.contains(where: { $0.outranks(entry) }) else { throw .clockSuspect }
            PairingOrder.mute(&slot.contact.pairings, below: entry)
        }
        put(
            Offer(
                ref: offer.ref,
                side: .theirs(
                    made.answer,
                    pairing: entry.id,
                    contact: offer.peerID,
                    offerEnd: offer.terms.codeEnd
                )
            )
        )
        put(made.pairing)
        join(&slot, made.pairing, request, at: moment)
        return Outcome(
            .answered,
            code: .answer(made.answer),
            contact: slot.contact.peerID,
            pairing: entry.id,
            notices: slot.notices + [.unconfirmed] + offer.header.suite.notices
        )
    }

    private func retake(_ known: Offer, at moment: Moment) throws(HSIPError) -> Outcome {
        guard case .theirs(let answer, let id, let peer, let offerEnd) = known.side else {
            throw .selfPairing
        }
        guard moment.effective <= Offer.importEnd(answer: answer.terms, offerEnd: offerEnd),
            pairings[id]?.rotation != nil
        else { throw .offerSpent }
        return Outcome(
            .shows,
            code: .answer(answer),
            contact: pairings[id]?.contact ?? peer,
            pairing: id,
            notices: [.alreadyPaired]
        )
    }

    /// Makes the answer and its session.
    private func answer(
        _ offer: OfferCode,
        _ contact: Contact,
        _ request: CodeOptions,
        at moment: Moment,
        entropy: Entropy
    ) throws(HSIPError) -> (answer: AnswerCode, pairing: Pairing, transcript: [UInt8]) {
        let fresh = try SharedSecrets.reply(to: offer.ephemeralKey, kemKey: offer.kemKey, entropy)
        let terms = Terms(
            issued: PairingOrder.answerStamp(wallClock: moment.wallClock, entries: contact.pairings),
            ttlMinutes: request.reply.ttlMinutes ?? Terms.pairingTTLMinutes,
            lifeHours: min(request.reply.lifeHours, offer.terms.lifeHours),
            limit: min(request.reply.limit, offer.terms.limit)
        )
        let unsigned = try AnswerCode.unsigned(
            header: try CodeHeader(kind: .answer, suite: offer.header.suite, terms: terms),
            offerRef: offer.ref,
            identityKey: identity.publicKey,
            ephemeralKey: fresh.publicKey,
            name: request.reply.isAnonymous ? "" : identity.name,
            kemCiphertext: fresh.ciphertext
        )
        let transcript = KeySchedule.pairingTranscript(
            offerHash: offer.transcriptHash,
            answerUnsigned: unsigned
        )
        let secrets = try fresh.secrets.firstEpoch(transcript: transcript)
        let confirm = KeySchedule.confirmTag(confirmKey: secrets.confirm, transcript: transcript)
        let code = try AnswerCode(
            unsigned: unsigned,
            confirm: confirm,
            signature: try KeySchedule.signAnswer(
                transcript: transcript,
                confirm: confirm,
                seed: identity.seed
            )
        )
        let pairing = try Pairing.made(
            transcript: transcript,
            secrets: secrets,
            contact: contact.peerID,
            role: .answerer,
            suite: offer.header.suite,
            terms: terms,
            picture: picture
        )
        return (code, pairing, transcript)
    }

    /// Throws unless the user agreed that a contact of an older program gets another PeerID.
    func confirmMove(_ slot: Slot, _ request: CodeOptions) throws(HSIPError) {
        if let old = slot.movedFrom, !request.isConfirmed {
            throw .identityChanged(old: old, new: slot.contact.peerID)
        }
    }

    /// Updates the contact for a new pairing: trust, the fifth pairing, and the move of an upgraded contact.
    mutating func join(
        _ slot: inout Slot,
        _ fresh: Pairing,
        _ request: CodeOptions,
        at moment: Moment
    ) {
        slot.contact.ended = nil
        if let suite = fresh.rotation?.current.suite {
            slot.contact.noteSuite(suite, isInUse: fresh.role == .offerer)
        }
        if request.isInPerson, slot.contact.trust == .unverified { slot.contact.trust = .scanned }
        if let old = slot.movedFrom {
            remove(contact: old)
            for entry in slot.contact.pairings {
                guard var pairing = pairings[entry.id], pairing.contact == old else { continue }
                pairing.contact = slot.contact.peerID
                put(pairing)
            }
            bindOffers(of: old, to: slot.contact.peerID)
        }
        if let surplus = PairingOrder.surplus(slot.contact.pairings, besides: fresh.id) {
            end(surplus, of: &slot.contact, byPeer: false, reason: .none, at: moment)
        }
        put(slot.contact)
    }
}

extension Pairing {
    /// Creates the pairing from a transcript and its keys.
    ///
    /// The emoji are computed here, before any commit, because their key is not kept.
    static func made(
        transcript: [UInt8],
        secrets: EpochSecrets,
        contact: PeerID,
        role: Role,
        suite: Suite,
        terms: Terms,
        picture: (Secret, [UInt8]) throws(HSIPError) -> [UInt8]
    ) throws(HSIPError) -> Pairing {
        Pairing(
            id: PairingID(transcript: transcript),
            contact: contact,
            role: role,
            profile: .dual,
            emoji: try picture(secrets.emoji, transcript),
            state: .live(
                Rotation(
                    current: Epoch(
                        number: 0,
                        name: secrets.ref,
                        suite: suite,
                        keys: EpochKeys(secrets, role: role),
                        end: terms.epochEnd,
                        limit: terms.limit
                    )
                )
            )
        )
    }
}
