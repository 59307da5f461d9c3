extension Rotation {
    /// The result of accepting a ROTATE.
    public enum Accepted {
        /// Epoch n+1 is prepared; show the ACCEPT.
        case accepted(Scheme.Accept)
        /// The attempt is lower or equal, or answered already: nothing changed; show my own code (rule 0).
        case outranked
        /// This ROTATE made the current epoch.
        case alreadyDone
        /// The peer is an epoch behind: show my own ROTATE (rule 0, else rule 1).
        case peerBehind
    }

    /// The epoch in which a code's parent was found.
    enum Place { case next, current, past(Int) }

    /// Accepts a ROTATE of the peer (rule 2).
    ///
    /// Changes nothing when it throws.
    ///
    /// - Parameters:
    ///   - rotate: the code, not verified yet.
    ///   - terms: the terms for the ACCEPT, at most the terms of the ROTATE.
    ///   - party: both parties, and the randomness for the ACCEPT.
    ///   - moment: the present time.
    /// - Returns: the result, and the dropped epochs, because at most two replaced epochs are kept.
    /// - Throws: `staleCode` if no live epoch has its ref; `badSignature` if MAC or signature fail; `suiteDowngrade` if its
    ///   suite is lower than that epoch's; `codeFromFuture`; `codeExpired`; `lapsed` if the current epoch can no longer
    ///   rotate.
    public mutating func take(
        _ rotate: Scheme.Rotate,
        terms: (Terms) -> Terms,
        party: Scheme.Party,
        at moment: Moment
    ) throws(HSIPError) -> (Accepted, dropped: [Epoch<Scheme>]) {
        var draft = self
        let taken = try draft.handle(rotate, terms: terms, party: party, at: moment)
        self = draft
        return taken
    }

    private mutating func handle(
        _ rotate: Scheme.Rotate,
        terms: (Terms) -> Terms,
        party: Scheme.Party,
        at moment: Moment
    ) throws(HSIPError) -> (Accepted, dropped: [Epoch<Scheme>]) {
        var dropped: [Epoch<Scheme>] = []
        let place = try place(of: rotate, party: party)
        guard rotate.suite >= suite(of: place) else { throw .suiteDowngrade(nil) }
        switch place {
        case .past(let index):
            if let madeBy, rotate.rotateName == madeBy { return (.alreadyDone, []) }
            try rotate.terms.check(at: moment)
            notePeer(under: past[index].epoch.number, at: moment)
            return (.peerBehind, [])
        case .next:
            // The peer could make this code only after finishing, so it is a proof like a first message.
            try rotate.terms.check(at: moment)
            dropped = promote(at: moment)
        case .current:
            if let next, next.rotateName == rotate.rotateName { return (.outranked, []) }
            guard outranksMine(rotate, isLower: party.isLower) else { return (.outranked, []) }
            try rotate.terms.check(at: moment)
        }
        guard current.keys.canRotate else { throw .lapsed }
        let offered = terms(rotate.terms)
        guard offered.epochEnd >= moment.effective else { throw .codeExpired }
        let answer = try Scheme.accept(rotate, under: current.keys, terms: offered, party: party)
        // Accepting drops my own attempt: two live attempts could both win (split brain).
        out = nil
        next = PreparedEpoch(
            epoch: Epoch(
                number: current.number + 1,
                name: answer.name,
                suite: rotate.suite,
                keys: answer.keys,
                end: offered.epochEnd,
                limit: offered.limit
            ),
            accept: answer.accept,
            rotateName: rotate.rotateName,
            attempt: rotate.attempt
        )
        seenAttempt = max(seenAttempt, rotate.attempt)
        notePeer(under: current.number, at: moment)
        return (.accepted(answer.accept), dropped)
    }

    /// Whether a ROTATE outranks mine.
    ///
    /// Rank is (attempt, 1 if its author has the lower PeerID); only a strictly higher rank is accepted.
    func outranksMine(_ rotate: Scheme.Rotate, isLower: Bool) -> Bool {
        let theirs = (rotate.attempt, isLower ? 0 : 1)
        if let out, theirs <= (out.rotate.attempt, isLower ? 1 : 0) { return false }
        if let next, theirs <= (next.attempt, isLower ? 0 : 1) { return false }
        return true
    }

    /// The epoch under which a ROTATE verifies; the ref is only a hint, so every epoch with that ref is tried.
    func place(of rotate: Scheme.Rotate, party: Scheme.Party) throws(HSIPError) -> Place {
        var named = false
        if let next, next.epoch.name == rotate.parent {
            named = true
            if try matches(rotate, next.epoch, party) { return .next }
        }
        if current.name == rotate.parent {
            named = true
            if try matches(rotate, current, party) { return .current }
        }
        for (index, old) in past.enumerated() where old.epoch.name == rotate.parent {
            named = true
            if try matches(rotate, old.epoch, party) { return .past(index) }
        }
        throw named ? .badSignature : .staleCode
    }

    private func suite(of place: Place) -> Suite {
        switch place {
        case .next: next?.epoch.suite ?? current.suite
        case .current: current.suite
        case .past(let index): past[index].epoch.suite
        }
    }

    private func matches(
        _ rotate: Scheme.Rotate,
        _ epoch: Epoch<Scheme>,
        _ party: Scheme.Party
    ) throws(HSIPError) -> Bool {
        guard rotate.epoch == epoch.number + 1 else { return false }
        return try Scheme.verifies(rotate, under: epoch.keys, party: party)
    }
}
