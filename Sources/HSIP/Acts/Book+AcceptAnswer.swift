internal import VaultCrypto

extension Book {
    /// Accepts an answer to an offer of mine (A's role), in the order of Schemas/hsip-xc1.md section 5.
    mutating func take(
        _ answer: AnswerCode,
        _ request: CodeOptions,
        at moment: Moment
    ) throws(HSIPError) -> Outcome {
        guard let offer = offers[answer.offerRef] else { throw .unknownOffer }
        guard case .mine(let code, let boundTo, let state) = offer.side else {
            // My own answer to the peer's offer was pasted back.
            throw answer.peerID == identity.peerID ? .selfPairing : .unknownOffer
        }
        guard answer.header.suite == code.header.suite else { throw .malformed }
        let transcript = KeySchedule.pairingTranscript(
            offerHash: code.transcriptHash,
            answerUnsigned: answer.unsignedBytes
        )
        let secret: OneTimeSecret
        switch state {
        case .open(let kept): secret = kept
        case .answered(let first, let hash):
            return try takeSecond(answer, transcript: transcript, first: first, hash: hash)
        case .closed(let expired): throw expired ? .offerExpired : .offerClosed
        }
        try KeySchedule.verifyAnswer(
            answer.signature,
            transcript: transcript,
            confirm: answer.confirm,
            publicKey: answer.identityKey
        )
        try check(answer, against: code, at: moment)
        guard answer.peerID != identity.peerID else { throw .selfPairing }
        guard revoked[answer.peerID] == nil else { throw .identityRevoked }
        var slot = try slot(
            for: answer.peerID,
            key: answer.identityKey,
            sentName: answer.name,
            alias: request.alias,
            named: try named(request.contact, boundTo)
        )
        try confirmMove(slot, request)
        try refuseDowngrade(of: slot.contact, to: answer.header.suite)
        let secrets = try agree(answer, code, secret: secret, transcript: transcript)
        let pairing = try Pairing.made(
            transcript: transcript,
            secrets: secrets,
            contact: answer.peerID,
            role: .offerer,
            suite: answer.header.suite,
            terms: answer.terms,
            picture: picture
        )
        slot.contact.pairings.append(
            PairingEntry(
                id: pairing.id,
                offerIssued: code.terms.issued,
                answerIssued: answer.terms.issued,
                transcript: transcript,
                role: .offerer,
                isConfirmed: true
            )
        )
        put(
            Offer(
                ref: offer.ref,
                side: .mine(
                    code,
                    boundTo: boundTo,
                    .answered(by: answer.peerID, answerHash: Hash.sha256(answer.bytes))
                )
            )
        )
        put(pairing)
        join(&slot, pairing, request, at: moment)
        return Outcome(
            .paired,
            contact: slot.contact.peerID,
            pairing: pairing.id,
            notices: slot.notices + answer.header.suite.notices
        )
    }

    /// The contact that the user named or my offer was bound to; the user may not name another one.
    private func named(_ asked: PeerID?, _ boundTo: PeerID?) throws(HSIPError) -> PeerID? {
        if let asked, let boundTo, asked != boundTo { throw .identityKnown(as: boundTo) }
        return asked ?? boundTo
    }

    private func check(
        _ answer: AnswerCode,
        against offer: OfferCode,
        at moment: Moment
    ) throws(HSIPError) {
        guard answer.terms.isWithin(offer.terms) else { throw .malformed }
        if answer.terms.issued > moment.wallClock + Moment.tolerance {
            throw .codeFromFuture(seconds: Int64(answer.terms.issued - moment.wallClock))
        }
        guard answer.terms.issued <= offer.terms.codeEnd + Moment.tolerance,
            moment.effective <= Offer.importEnd(answer: answer.terms, offerEnd: offer.terms.codeEnd)
        else { throw .offerExpired }
        guard answer.terms.epochEnd >= moment.effective else { throw .codeExpired }
    }

    /// Performs the exchange and its confirmation, which proves that B has the secret of eB and knows both identities.
    private func agree(
        _ answer: AnswerCode,
        _ offer: OfferCode,
        secret: OneTimeSecret,
        transcript: [UInt8]
    ) throws(HSIPError) -> EpochSecrets {
        guard answer.ephemeralKey != offer.ephemeralKey else { throw .badKey }
        let shared = try secret.agree(
            publicKey: answer.ephemeralKey,
            ciphertext: answer.kemCiphertext
        )
        let secrets = try shared.firstEpoch(transcript: transcript)
        try KeySchedule.checkConfirm(
            answer.confirm,
            confirmKey: secrets.confirm,
            transcript: transcript
        )
        return secrets
    }

    /// Handles a second answer to an answered offer: the first one again, or an answer of another person who has the
    /// code.
    private mutating func takeSecond(
        _ answer: AnswerCode,
        transcript: [UInt8],
        first: PeerID,
        hash: [UInt8]
    ) throws(HSIPError) -> Outcome {
        let id = PairingID(transcript: transcript)
        if Hash.sha256(answer.bytes) == hash {
            guard let pairing = pairings[id], pairing.rotation != nil,
                contacts[pairing.contact]?.trashedAt == nil
            else { throw .offerSpent }
            return Outcome(.done, contact: pairing.contact, pairing: id, notices: [.alreadyPaired])
        }
        do {
            try KeySchedule.verifyAnswer(
                answer.signature,
                transcript: transcript,
                confirm: answer.confirm,
                publicKey: answer.identityKey
            )
        } catch {
            throw .malformed
        }
        guard answer.peerID != first else { throw .offerAlreadyUsed(by: nil) }
        guard var contact = contacts[first], contact.trust == .unverified else {
            throw .offerAlreadyUsed(by: answer.peerID)
        }
        // The code was photographed or forwarded: the mark is written, although the code is refused.
        contact.trust = .suspicious
        put(contact)
        return .refused(.offerAlreadyUsed(by: answer.peerID))
    }
}
