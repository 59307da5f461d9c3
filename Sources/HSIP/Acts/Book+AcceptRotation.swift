internal import VaultCrypto

extension Book {
    /// Accepts a ROTATE (section 8, rule 2).
    ///
    /// A ROTATE has no identity in it: the pinned key of the pairing's contact verifies it.
    mutating func take(
        _ code: RotateCode,
        _ request: CodeOptions,
        at moment: Moment,
        entropy: Entropy
    ) throws(HSIPError) -> Outcome {
        var refusal: HSIPError?
        for var pairing in try pairings(named: code.ref, contact: request.contact) {
            guard var rotation = pairing.rotation else { continue }
            let party = try party(of: pairing, entropy: entropy)
            do {
                let (taken, dropped) = try rotation.take(
                    code,
                    terms: { offered in
                        Terms(
                            issued: moment.wallClock,
                            ttlMinutes: request.reply.ttlMinutes ?? Terms.rotationTTLMinutes,
                            lifeHours: min(request.reply.lifeHours, offered.lifeHours),
                            limit: min(request.reply.limit, offered.limit)
                        )
                    },
                    party: party,
                    at: moment
                )
                pairing.state = .live(rotation)
                var outcome = try finish(taken, dropped, pairing, request, at: moment, entropy: entropy)
                if code.suite == .one, case .rotate(let mine) = outcome.code, mine.suite == .two {
                    outcome.notices.append(.perhapsOldProgram)
                }
                return outcome
            } catch .suiteDowngrade {
                throw .suiteDowngrade(pairing.contact)
            } catch .badSignature {
                // The ref is only a hint: another epoch may have an equal ref.
                refusal = .badSignature
            } catch .staleCode {
                refusal = refusal ?? .staleCode
            }
        }
        throw refusal ?? .staleCode
    }

    private mutating func finish(
        _ taken: Rotation<HSIPScheme>.Accepted,
        _ dropped: [Epoch<HSIPScheme>],
        _ pairing: Pairing,
        _ request: CodeOptions,
        at moment: Moment,
        entropy: Entropy
    ) throws(HSIPError) -> Outcome {
        guard let rotation = pairing.rotation else { throw .staleCode }
        let id = pairing.contact
        switch taken {
        case .accepted(let accept):
            try requireSoundClock(at: moment)
            putConfirmed(pairing, codeSuite: accept.suite)
            for epoch in dropped { forgetNonces(of: epoch.name) }
            closeOffers(boundTo: id)
            return Outcome(
                .prepared,
                code: .accept(accept),
                contact: id,
                pairing: pairing.id,
                notices: accept.suite.notices
            )
        case .outranked:
            if rotation.next?.epoch.isRestored == true, rotation.out == nil {
                // The ACCEPT of a backup is not shown again: a new ROTATE is numbered above both attempts.
                return try startRotation(pairing, request.reply, at: moment, entropy: entropy)
            }
            return Outcome(
                .shows,
                code: showable(of: rotation, at: moment),
                contact: id,
                pairing: pairing.id
            )
        case .alreadyDone:
            return Outcome(.done, contact: id, pairing: pairing.id, notices: [.alreadyDone])
        case .peerBehind:
            if let code = showable(of: rotation, at: moment) {
                return Outcome(
                    .shows,
                    code: code,
                    contact: id,
                    pairing: pairing.id,
                    notices: [.peerCatchingUp]
                )
            }
            var outcome = try startRotation(pairing, request.reply, at: moment, entropy: entropy)
            outcome.notices.insert(.peerCatchingUp, at: 0)
            return outcome
        }
    }

    /// Accepts an ACCEPT (section 8, rule 3).
    mutating func take(
        _ code: AcceptCode,
        _ request: CodeOptions,
        at moment: Moment,
        entropy: Entropy
    ) throws(HSIPError) -> Outcome {
        var refusal: HSIPError?
        for var pairing in try pairings(named: code.ref, contact: request.contact) {
            guard var rotation = pairing.rotation else { continue }
            do {
                guard
                    let dropped = try rotation.take(
                        code,
                        party: try party(of: pairing, entropy: entropy),
                        at: moment
                    )
                else {
                    return Outcome(
                        .done,
                        contact: pairing.contact,
                        pairing: pairing.id,
                        notices: [.alreadyDone]
                    )
                }
                pairing.state = .live(rotation)
                putConfirmed(pairing, codeSuite: code.suite)
                for epoch in dropped { forgetNonces(of: epoch.name) }
                return Outcome(
                    .rotated,
                    contact: pairing.contact,
                    pairing: pairing.id,
                    notices: code.suite.notices
                )
            } catch .badSignature {
                refusal = .badSignature
            } catch .staleCode {
                refusal = refusal ?? .staleCode
            }
        }
        throw refusal ?? .staleCode
    }

    /// The live pairings that have an epoch of this name, ordered by pairing name.
    ///
    /// - Throws: `revoked` if only an ended pairing has it, so that no old code revives a session (P14); `staleCode` if
    ///   no pairing has it.
    func pairings(named ref: [UInt8], contact: PeerID?) throws(HSIPError) -> [Pairing] {
        let named = pairings.values
            .filter { $0.epochNames.contains(ref) && (contact == nil || $0.contact == contact) }
            .sorted { $0.id < $1.id }
        let live = named.filter { $0.rotation != nil && $0.profile == .dual }
        guard live.isEmpty else { return live }
        if named.contains(where: { $0.rotation == nil }) { throw .revoked }
        throw .staleCode
    }

    /// Stores a pairing after a message or code was opened under its keys, which confirms the pairing.
    ///
    /// - Parameters:
    ///   - pairing: the changed pairing.
    ///   - codeSuite: the suite of the code that the contact sent; nil for a message.
    mutating func putConfirmed(_ pairing: Pairing, codeSuite: Suite? = nil) {
        let before = pairings[pairing.id]?.rotation?.current.number
        put(pairing)
        guard var contact = contacts[pairing.contact],
            let index = contact.pairings.firstIndex(where: { $0.id == pairing.id })
        else { return }
        let isNewEpoch = !contact.pairings[index].isConfirmed || before != pairing.rotation?.current.number
        contact.pairings[index].isConfirmed = true
        if isNewEpoch, let suite = pairing.rotation?.current.suite {
            contact.noteSuite(suite, isInUse: true)
        }
        if let codeSuite { contact.noteSuite(codeSuite, isInUse: false) }
        if contact != contacts[pairing.contact] { put(contact) }
    }
}

extension Contact {
    /// Pins a contact that uses suite 02 to it, and notes that a program with suite 02 is not an old one.
    ///
    /// - Parameters:
    ///   - suite: the suite of the contact's code or message.
    ///   - isInUse: whether it is the suite of the current epoch of a confirmed pairing.
    mutating func noteSuite(_ suite: Suite, isInUse: Bool) {
        guard suite == .two else { return }
        if isInUse { suiteRule = .onlyTwo } else if suiteRule == .onlyOne { suiteRule = .any }
    }
}

extension Suite {
    /// The notices for a pairing or rotation in this suite.
    var notices: [Notice] { self == .one ? [.notPostQuantum] : [] }
}
