internal import HSIP
internal import VaultCrypto

extension Fault {
    /// The mistake that takes such a reply.
    var mistake: ActsMistake {
        switch self {
        case .otherCiphertext: .confirmNotCompared
        case .otherSuite: .otherSuiteTaken
        }
    }
}

extension Cast {
    /// The reply of suite 02 as it is with a fault; nil for what is no reply to a code of this vault.
    func faulty(_ code: ExchangeCode, _ fault: Fault, by who: Int, _ book: Book) -> ExchangeCode? {
        guard code.header?.suite == .two else { return nil }
        switch (code, fault) {
        case (.answer(let answer), .otherCiphertext):
            guard let (offer, _, _) = offer(of: answer, book) else { return nil }
            return (try? changed(answer, to: offer)).map { .answer($0) }
        case (.answer(let answer), .otherSuite):
            guard let (offer, _, _) = offer(of: answer, book) else { return nil }
            return (try? lowered(answer, to: offer)).map { .answer($0) }
        case (.accept(let accept), .otherCiphertext):
            let rotates = book.pairings.values.compactMap { $0.rotation?.out?.rotate }
            guard let rotate = rotates.first(where: { $0.rotateRef == accept.rotateRef }),
                let author = others(of: who).first
            else { return nil }
            return (try? changed(accept, to: rotate, by: identities[author])).map { .accept($0) }
        default: return nil
        }
    }

    /// The reducer with the mistake that takes such a reply.
    func reduceFaulty(
        _ event: Event,
        _ fault: Fault,
        _ book: inout Book,
        wallClock: UInt64,
        entropy: Entropy
    ) throws(HSIPError) -> Outcome {
        guard case .take(.answer(let answer), let request) = event,
            let (offer, boundTo, secret) = offer(of: answer, book)
        else { return try book.reduce(event, wallClock: wallClock, entropy: entropy) }
        switch fault {
        case .otherCiphertext:
            let passed = try confirmed(answer, to: offer, by: secret)
            return try book.reduce(
                .take(.answer(passed), request),
                wallClock: wallClock,
                entropy: entropy
            )
        case .otherSuite:
            // For the time of the act the offer is one of suite 01.
            let low = try lowered(offer)
            let passed = try lowered(answer, to: low)
            let state = Offer.State.open(secret: OneTimeSecret(x25519: secret.x25519))
            book.load(Offer(ref: offer.ref, side: .mine(low, boundTo: boundTo, state)))
            let outcome = try book.reduce(
                .take(.answer(passed), request),
                wallClock: wallClock,
                entropy: entropy
            )
            if case .mine(_, let boundTo, let state) = book.offers[offer.ref]?.side {
                book.load(Offer(ref: offer.ref, side: .mine(offer, boundTo: boundTo, state)))
            }
            return outcome
        }
    }

    private func offer(of answer: AnswerCode, _ book: Book) -> (OfferCode, PeerID?, OneTimeSecret)? {
        guard case .mine(let code, let boundTo, .open(let secret)) = book.offers[answer.offerRef]?.side else {
            return nil
        }
        return (code, boundTo, secret)
    }

    private func author(of answer: AnswerCode) throws(HSIPError) -> Identity {
        guard let author = identities.first(where: { $0.peerID == answer.peerID }) else {
            throw .unknownContact
        }
        return author
    }

    /// One bit of the ciphertext, which stands last before the confirmation, is another.
    private func changed(_ answer: AnswerCode, to offer: OfferCode) throws(HSIPError) -> AnswerCode {
        var unsigned = answer.unsignedBytes
        unsigned[unsigned.count - 1] ^= 1
        return try signed(unsigned, answer.confirm, to: offer, by: author(of: answer))
    }

    private func changed(
        _ accept: AcceptCode,
        to rotate: RotateCode,
        by author: Identity
    ) throws(HSIPError) -> AcceptCode {
        var unsigned = accept.unsignedBytes
        unsigned[unsigned.count - 1] ^= 1
        let transcript = KeySchedule.rotationTranscript(rotate: rotate.bytes, acceptUnsigned: unsigned)
        let signature = try KeySchedule.signAccept(
            transcript: transcript,
            confirm: accept.confirm,
            seed: author.seed
        )
        return try AcceptCode(unsigned: unsigned, confirm: accept.confirm, signature: signature)
    }

    /// An answer of suite 01 to the offer, by the author of the answer, with a confirmation that is right.
    private func lowered(_ answer: AnswerCode, to offer: OfferCode) throws(HSIPError) -> AnswerCode {
        let secret: Secret
        let ephemeral: [UInt8]
        do {
            secret = Secret(try Entropy.seeded(answer.offerRef).secret(32))
            ephemeral = try KeyAgreement.publicKey(of: secret)
        } catch {
            throw HSIPError(error)
        }
        let unsigned = try AnswerCode.unsigned(
            header: try answer.header.lowered(),
            offerRef: answer.offerRef,
            identityKey: answer.identityKey,
            ephemeralKey: ephemeral,
            name: answer.name
        )
        let shared = try KeySchedule.sharedSecret(secret, with: offer.ephemeralKey)
        return try confirmed(unsigned, shared, nil, to: offer, by: author(of: answer))
    }

    /// The offer as it would be in suite 01.
    private func lowered(_ offer: OfferCode) throws(HSIPError) -> OfferCode {
        guard let author = identities.first(where: { $0.peerID == offer.peerID }) else {
            throw .unknownContact
        }
        let unsigned = try OfferCode.unsigned(
            header: try offer.header.lowered(),
            identityKey: offer.identityKey,
            ephemeralKey: offer.ephemeralKey,
            name: offer.name
        )
        return try OfferCode(
            unsigned: unsigned,
            signature: try KeySchedule.signOffer(unsigned, seed: author.seed)
        )
    }

    /// The answer with the confirmation that the offerer expects, so that comparing it changes nothing.
    private func confirmed(
        _ answer: AnswerCode,
        to offer: OfferCode,
        by secret: OneTimeSecret
    ) throws(HSIPError) -> AnswerCode {
        guard let seed = secret.kemSeed else { throw .malformed }
        let kem: Secret
        do {
            kem = Secret(try MLKEM768.decapsulate(answer.kemCiphertext, seed: seed))
        } catch {
            throw HSIPError(error)
        }
        let shared = try KeySchedule.sharedSecret(secret.x25519, with: answer.ephemeralKey)
        return try confirmed(answer.unsignedBytes, shared, kem, to: offer, by: author(of: answer))
    }

    private func confirmed(
        _ unsigned: [UInt8],
        _ shared: borrowing SecretBytes,
        _ kem: Secret?,
        to offer: OfferCode,
        by author: Identity
    ) throws(HSIPError) -> AnswerCode {
        let transcript = KeySchedule.pairingTranscript(
            offerHash: offer.transcriptHash,
            answerUnsigned: unsigned
        )
        let prk = try KeySchedule.pairingSecret(th: transcript, sharedSecret: shared, kemSecret: kem)
        let keys = try EpochSecrets.derive(prk: prk)
        let confirm = KeySchedule.confirmTag(confirmKey: keys.confirm, transcript: transcript)
        return try signed(unsigned, confirm, to: offer, by: author)
    }

    private func signed(
        _ unsigned: [UInt8],
        _ confirm: [UInt8],
        to offer: OfferCode,
        by author: Identity
    ) throws(HSIPError) -> AnswerCode {
        let transcript = KeySchedule.pairingTranscript(
            offerHash: offer.transcriptHash,
            answerUnsigned: unsigned
        )
        let signature = try KeySchedule.signAnswer(
            transcript: transcript,
            confirm: confirm,
            seed: author.seed
        )
        return try AnswerCode(unsigned: unsigned, confirm: confirm, signature: signature)
    }
}

extension CodeHeader {
    /// The same in suite 01.
    fileprivate func lowered() throws(HSIPError) -> CodeHeader {
        try CodeHeader(
            kind: kind,
            suite: .one,
            isFresh: isFresh,
            issued: issued,
            ttlMinutes: ttlMinutes,
            lifeHours: lifeHours,
            limit: limit
        )
    }
}
