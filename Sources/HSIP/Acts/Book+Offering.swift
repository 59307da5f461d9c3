internal import VaultCrypto

extension Book {
    /// Makes a new OFFER; its secret half is in the change set before the code is shown.
    mutating func makeOffer(
        _ request: OfferRequest,
        at moment: Moment,
        entropy: Entropy
    ) throws(HSIPError) -> Outcome {
        try requireSoundClock(at: moment)
        var isFresh = false
        var suite = request.preferredSuite
        if let bound = request.contact {
            let contact = try contact(bound)
            if contact.trust == .revoked { throw .identityRevoked }
            isFresh = lacksUsableSession(contact)
            suite = try offerSuite(for: contact, request)
        } else {
            let open = offers.values.filter { $0.isOpen && $0.contact == nil }
            guard open.count < Offer.maximumOpen else { throw .tooManyOffers }
        }
        let terms = Terms(
            issued: moment.wallClock,
            ttlMinutes: request.ttlMinutes ?? Terms.pairingTTLMinutes,
            lifeHours: request.lifeHours,
            limit: request.limit
        )
        let fresh = try OneTimeSecret.make(suite, entropy)
        let unsigned = try OfferCode.unsigned(
            header: try CodeHeader(kind: .offer, suite: suite, terms: terms, isFresh: isFresh),
            identityKey: identity.publicKey,
            ephemeralKey: fresh.publicKey,
            name: request.isAnonymous ? "" : identity.name,
            kemKey: fresh.kemKey
        )
        let code = try OfferCode(
            unsigned: unsigned,
            signature: try KeySchedule.signOffer(unsigned, seed: identity.seed)
        )
        put(
            Offer(
                ref: code.ref,
                side: .mine(code, boundTo: request.contact, .open(secret: fresh.secret))
            )
        )
        return Outcome(.shows, code: .offer(code), contact: request.contact)
    }

    /// The suite of an OFFER bound to a contact; facts about the contact's program count more than the way of
    /// transport.
    ///
    /// - Throws: `suiteDowngrade` if suite 01 is asked for, but the contact has used suite 02.
    private func offerSuite(for contact: Contact, _ request: OfferRequest) throws(HSIPError) -> Suite {
        try refuseDowngrade(of: contact, to: request.suite ?? .two)
        return switch contact.suiteRule {
        case .any: request.preferredSuite
        case .onlyTwo: .two
        case .onlyOne: request.suite ?? .one
        }
    }

    /// Refuses a code that would move a contact from suite 02 back to suite 01.
    ///
    /// - Throws: `suiteDowngrade`.
    func refuseDowngrade(of contact: Contact, to suite: Suite) throws(HSIPError) {
        if contact.suiteRule == .onlyTwo, suite == .one { throw .suiteDowngrade(contact.peerID) }
    }

    /// The suite of the next ROTATE, which is never lower than the epoch's.
    func rotateSuite(for contact: PeerID) -> Suite {
        contacts[contact]?.suiteRule == .onlyOne ? .one : .two
    }

    /// Whether all my sessions with the contact are restored, lapsed or gone, so that the OFFER cannot rely on older
    /// keys.
    private func lacksUsableSession(_ contact: Contact) -> Bool {
        !contact.pairings.contains { entry in
            guard let rotation = pairings[entry.id]?.rotation else { return false }
            return !rotation.current.isRestored && (entry.isLegacy || rotation.current.keys.canRotate)
        }
    }

    /// Makes the code of rule 0, else of rule 1, else a new OFFER bound to the contact (`pair CONTACT`).
    ///
    /// Under a restored epoch, the OFFER is made once a ROTATE of the epoch has been shown.
    mutating func nextCode(
        for id: PeerID,
        _ request: OfferRequest,
        at moment: Moment,
        entropy: Entropy
    ) throws(HSIPError) -> Outcome {
        let contact = try contact(id)
        try refuseDowngrade(of: contact, to: request.suite ?? .two)
        let entry = PairingOrder.sending(contact.pairings)
        let pairing = entry.flatMap { pairings[$0.id] }
        // The contact may no longer have the keys for a ROTATE under a backup's keys, so that ROTATE is shown only
        // once.
        let wasTried = pairing?.rotation.map { $0.current.isRestored && $0.out != nil } ?? false
        var bound = request
        bound.contact = id
        if let open = boundOffer(to: id, at: moment), request.suite != nil || request.isInPerson,
            try offerSuite(for: contact, request) != open.header.suite
        {
            // The open offer has another suite than the requested one, so a new offer replaces it.
            closeOffers(boundTo: id)
            return try makeOffer(bound, at: moment, entropy: entropy)
        }
        if let code = showable(for: contact, at: moment) {
            let isTheSame = if case .rotate = code { wasTried } else { false }
            if !isTheSame { return Outcome(.shows, code: code, contact: id) }
        } else if !wasTried, let entry, entry.isConfirmed, !entry.isLegacy, let pairing,
            pairing.rotation?.current.keys.canRotate == true
        {
            return try startRotation(pairing, request, at: moment, entropy: entropy)
        }
        return try makeOffer(bound, at: moment, entropy: entropy)
    }

    /// Runs `session rotate`, which uses only the sending pairing and never makes an OFFER.
    mutating func rotate(
        _ id: PeerID,
        _ request: OfferRequest,
        at moment: Moment,
        entropy: Entropy
    ) throws(HSIPError) -> Outcome {
        let contact = try contact(id)
        guard let entry = PairingOrder.sending(contact.pairings), let pairing = pairings[entry.id],
            let rotation = pairing.rotation
        else { throw contact.ended == nil ? .noSession : .revoked }
        guard entry.isConfirmed else {
            guard let answer = cachedAnswer(of: entry, at: moment) else { throw .offerExpired }
            return Outcome(.shows, code: .answer(answer), contact: id, pairing: entry.id)
        }
        guard !entry.isLegacy else { throw .noSession }
        if let code = showable(of: rotation, at: moment) {
            return Outcome(.shows, code: code, contact: id, pairing: entry.id)
        }
        return try startRotation(pairing, request, at: moment, entropy: entropy)
    }

    /// Starts rule 1 for a pairing; closes open offers bound to the contact, because a thief may have their secrets.
    mutating func startRotation(
        _ pairing: Pairing,
        _ request: OfferRequest,
        at moment: Moment,
        entropy: Entropy
    ) throws(HSIPError) -> Outcome {
        try requireSoundClock(at: moment)
        guard var rotation = pairing.rotation else { throw .revoked }
        let terms = Terms(
            issued: moment.wallClock,
            ttlMinutes: request.ttlMinutes ?? Terms.rotationTTLMinutes,
            lifeHours: request.lifeHours,
            limit: request.limit
        )
        let code = try rotation.start(
            suite: rotateSuite(for: pairing.contact),
            terms: terms,
            party: try party(of: pairing, entropy: entropy)
        )
        var renewed = pairing
        renewed.state = .live(rotation)
        put(renewed)
        closeOffers(boundTo: pairing.contact)
        let open = offers.values.filter { $0.isOpen }.count
        return Outcome(
            .shows,
            code: .rotate(code),
            contact: pairing.contact,
            pairing: pairing.id,
            notices: open > 0 ? [.openOffers(open)] : []
        )
    }

    /// Closes every open offer of mine (`pair --close-all`); cached answers stay.
    mutating func closeOffers() -> Outcome {
        for offer in offers.values where offer.isOpen { close(offer) }
        return Outcome(.done)
    }

    /// Closes the open offers bound to a contact.
    mutating func closeOffers(boundTo contact: PeerID) {
        for offer in offers.values where offer.isOpen && offer.contact == contact { close(offer) }
    }

    /// Closes the offers that the contact's old program cannot read, and drops a ROTATE, because it does not know suite
    /// 02.
    mutating func withdrawCodes(forOldProgramOf contact: Contact) {
        for offer in offers.values where offer.isOpen && offer.contact == contact.peerID {
            if case .mine(let code, _, _) = offer.side, code.header.suite == .two { close(offer) }
        }
        for entry in contact.pairings {
            guard var pairing = pairings[entry.id], var rotation = pairing.rotation,
                rotation.current.suite == .one, rotation.out?.rotate.suite == .two
            else { continue }
            rotation.out = nil
            pairing.state = .live(rotation)
            put(pairing)
        }
    }

    /// Binds the open offers of a contact's old PeerID to its new one.
    mutating func bindOffers(of old: PeerID, to contact: PeerID) {
        for offer in offers.values where offer.isOpen && offer.contact == old {
            guard case .mine(let code, _, let state) = offer.side else { continue }
            put(Offer(ref: offer.ref, side: .mine(code, boundTo: contact, state)))
        }
    }

    private mutating func close(_ offer: Offer) {
        guard case .mine(let code, let boundTo, .open) = offer.side else { return }
        var closed = offer
        closed.side = .mine(code, boundTo: boundTo, .closed(expired: false))
        put(closed)
    }
}

extension OfferCode {
    /// The terms that the offer promises for the session.
    public var terms: Terms { header.terms }
}

extension AnswerCode {
    /// The terms that the answer accepts.
    public var terms: Terms { header.terms }
}
