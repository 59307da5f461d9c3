public import VaultCrypto

extension Book {
    /// Runs the protocol: an event at a moment results in a new book and an outcome, or in a refusal and the old book.
    ///
    /// The function is pure: time and randomness are inputs, and only the outcome is returned. A refused event writes
    /// at most the clock mark and the `suspicious` mark of section 5 (property P9).
    public mutating func reduce(
        _ event: Event,
        wallClock: UInt64,
        entropy: Entropy
    ) throws(HSIPError) -> Outcome {
        let moment = clock.moment(wallClock: wallClock)
        var draft = self
        var outcome: Outcome
        do {
            outcome = try draft.apply(event, at: moment, entropy: entropy)
        } catch {
            guard error.isAboutLateness, let mark = clock.advanced(to: wallClock, always: true) else {
                throw error
            }
            // A refusal for lateness writes the clock mark, so that turning the clock back does not undo the refusal.
            put(mark)
            dropSettled()
            return .refused(error)
        }
        let changes = !draft.touched.isEmpty
        if changes, let mark = draft.clock.advanced(to: wallClock) { draft.put(mark) }
        // A refused event writes only its mark; changes by time are written with the next event that succeeds.
        if outcome.refusal != nil { draft.dropSettled() }
        if let contact = draft.used(by: outcome) {
            if contact.isUncompared { outcome.notices.insert(.notComparedSinceRestore, at: 0) }
            if contact.trust == .suspicious { outcome.notices.insert(.suspicious, at: 0) }
        }
        self = draft
        return outcome
    }

    private mutating func apply(
        _ event: Event,
        at moment: Moment,
        entropy: Entropy
    ) throws(HSIPError) -> Outcome {
        switch event {
        case .offer(let request): try makeOffer(request, at: moment, entropy: entropy)
        case .nextCode(let contact, let request):
            try nextCode(for: contact, request, at: moment, entropy: entropy)
        case .rotate(let contact, let request):
            try rotate(contact, request, at: moment, entropy: entropy)
        case .closeOffers: closeOffers()
        case .take(let code, let request): try take(code, request, at: moment, entropy: entropy)
        case .takeInside(let envelope, let request):
            try takeInside(envelope, request, at: moment, entropy: entropy)
        case .send(let contact, let plaintext):
            try send(.text(plaintext), to: contact, at: moment, entropy: entropy)
        case .sendFileKey(let contact, let digest, let purpose):
            try send(.fileKey(digest: digest, purpose), to: contact, at: moment, entropy: entropy)
        case .read(let envelope, let request): try read(envelope, request, at: moment)
        case .matched(let contact, let how): try markVerified(contact, by: how, at: moment)
        case .revokeSessions(let contact, let reason):
            try revokeSessions(of: contact, reason: reason, at: moment)
        case .setContact(let contact, let change): try set(contact, change)
        case .setSuite(let contact, let suite): try setSuite(suite, of: contact)
        case .removeContact(let contact): try removeContact(contact, at: moment)
        case .restoreContact(let contact): try restoreContact(contact)
        case .trustNewKey(let contact, let code): try trustNewKey(of: contact, from: code, at: moment)
        case .importLegacy(let request): try importLegacy(request, at: moment)
        case .exportLegacy(let contact): try exportLegacy(contact)
        case .setName(let name): try setName(name)
        case .renewIdentity: try renewIdentity(at: moment, entropy: entropy)
        case .setClockBack: setClockBack(at: moment)
        }
    }

    mutating func take(
        _ code: ExchangeCode,
        _ request: CodeOptions,
        at moment: Moment,
        entropy: Entropy
    ) throws(HSIPError) -> Outcome {
        switch code {
        case .offer(let offer): try take(offer, request, at: moment, entropy: entropy)
        case .answer(let answer): try take(answer, request, at: moment)
        case .rotate(let rotate): try take(rotate, request, at: moment, entropy: entropy)
        case .accept(let accept): try take(accept, request, at: moment, entropy: entropy)
        case .revoke(let revoke): try take(revoke, request, at: moment)
        case .verify(let verify): try take(verify, request, at: moment)
        }
    }

    /// The contact whose message or code an event used, or for whom it made one.
    private func used(by outcome: Outcome) -> Contact? {
        let isUse =
            switch outcome.result {
            case .shows, .answered, .paired, .prepared, .rotated: true
            case .done, .sessionsEnded, .identityEnded, .ended, .verifyMatched: outcome.product != nil
            }
        return isUse ? outcome.contact.flatMap { contacts[$0] } : nil
    }

    private mutating func setName(_ name: String) throws(HSIPError) -> Outcome {
        guard PeerName.isValid(name) else { throw .malformed }
        var renamed = identity
        renamed.name = name
        put(renamed)
        return Outcome(.done)
    }

    /// Sets the mark to the clock, which a person has confirmed, and confirms a jump.
    private mutating func setClockBack(at moment: Moment) -> Outcome {
        guard moment.wallClock < clock.mark || clock.delaysWiping(wallClock: moment.wallClock) else {
            return Outcome(.done, notices: [.alreadyDone])
        }
        put(ClockMark(mark: moment.wallClock))
        return Outcome(.done)
    }

    /// Throws `clockSuspect` before stamping or sealing, if the clock is suspect (`ClockMark.isSuspect`).
    func requireSoundClock(at moment: Moment) throws(HSIPError) {
        if clock.isSuspect(wallClock: moment.wallClock) { throw .clockSuspect }
    }

    /// A contact that is not in the trash.
    func contact(_ id: PeerID) throws(HSIPError) -> Contact {
        guard let contact = contacts[id], contact.trashedAt == nil else { throw .unknownContact }
        return contact
    }

    /// Both parties of a pairing, for the rotation rules.
    func party(of pairing: Pairing, entropy: Entropy) throws(HSIPError) -> HSIPScheme.Party {
        guard let contact = contacts[pairing.contact], let key = contact.identityKey else { throw .noSession }
        return HSIPScheme.Party(
            identity: identity,
            peerID: contact.peerID,
            peerKey: key,
            role: pairing.role,
            entropy: entropy
        )
    }
}

extension HSIPError {
    /// True for an error about a code or message that is too late by the mark.
    var isAboutLateness: Bool {
        switch self {
        case .codeExpired, .offerExpired, .sessionExpired, .lapsed: true
        default: false
        }
    }
}
