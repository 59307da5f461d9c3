internal import HSIP

/// The acts of one side: the product's machine, called as the product calls it, with at most one mistake
/// around it.
///
/// Every act is one durable write. A nil result means that the act is refused or changes nothing.
package struct Machine: Sendable {
    /// How far the walk goes.
    package let bounds: RotationBounds
    /// What is done wrong on purpose.
    package let mistake: RotationMistake?

    /// A machine as it is, or with a mistake.
    package init(bounds: RotationBounds, mistake: RotationMistake? = nil) {
        self.bounds = bounds
        self.mistake = mistake
    }

    /// The one moment at which everything happens: the walk is about order, not about clocks.
    static let moment = Moment(wallClock: 1_000_000)

    static func terms(limit: Int) -> Terms {
        Terms(
            issued: moment.wallClock,
            ttlMinutes: Terms.rotationTTLMinutes,
            lifeHours: Terms.longestLifeHours,
            limit: UInt16(limit)
        )
    }

    /// Rule 1 within the bounds.
    package func mayStart(_ peer: Peer) -> Bool {
        Int(peer.rotation.seenAttempt) < bounds.attempts && Int(peer.rotation.current.number) < bounds.epochs
    }

    /// Rule 1: a new attempt.
    package func start(_ peer: Peer, party: NameParty) -> (peer: Peer, rotate: RotateName)? {
        guard mayStart(peer) else { return nil }
        var changed = peer
        if mistake == .noFloor { changed.rotation.lowerSuites() }
        let suite: Suite = peer.isNew && !peer.isMarked ? .two : .one
        let terms = Self.terms(limit: bounds.limit)
        guard let code = try? changed.rotation.start(suite: suite, terms: terms, party: party) else {
            return nil
        }
        return (changed, code.rotateName)
    }

    /// The user says that the other program does not know suite 02: a ROTATE that it cannot read is dropped.
    package func mark(_ peer: Peer) -> Peer? {
        guard bounds.programs.mayMark, peer.isNew, !peer.isMarked, mistake != .noMark else { return nil }
        var changed = peer
        changed.isMarked = true
        if peer.rotation.current.suite == .one, peer.rotation.out?.rotate.suite == .two,
            mistake != .markKeepsRotate
        {
            changed.rotation.out = nil
        }
        return changed
    }

    /// A newer program is installed over the same vault.
    package func update(_ peer: Peer) -> Peer? {
        guard bounds.programs.mayUpdate, !peer.isNew else { return nil }
        var changed = peer
        changed.isNew = true
        return changed
    }

    /// Rule 0: the code that would be shown again.
    package func shown(_ peer: Peer) -> Item? {
        if let out = peer.rotation.out { return .rotate(out.rotate.rotateName) }
        return peer.rotation.next.map { .accept($0.accept.key) }
    }

    /// Rule 2: takes a ROTATE, and gives the keys that its ACCEPT makes if it is accepted.
    package func take(
        _ name: RotateName,
        _ peer: Peer,
        party: NameParty
    ) -> (peer: Peer, accept: KeyName?)? {
        let rotate = NameRotate(rotateName: name, terms: Self.terms(limit: bounds.limit))
        // An older program refuses a code of suite 02 unread.
        guard peer.isNew || name.suite == .one else { return nil }
        var changed = peer
        switch mistake {
        case .noFloor: changed.rotation.lowerSuites()
        case .noPromotionByRotate where name.parent == peer.rotation.next?.epoch.name: return nil
        case .noRank
        where name.parent == peer.rotation.current.name && name != peer.rotation.next?.rotateName:
            changed.rotation.out = nil
            changed.rotation.next = nil
        default: break
        }
        guard
            let (taken, _) = try? changed.rotation.take(
                rotate,
                terms: { $0 },
                party: party,
                at: Self.moment
            )
        else { return nil }
        guard case .accepted(let accept) = taken else {
            // A lower attempt must leave everything as it was, also what the mistake hides.
            if case .peerBehind = taken { return (changed, nil) }
            return nil
        }
        changed.sealed[accept.key] = 0
        if name.suite == .two { changed.isMarked = false }
        if mistake == .keepsOwnAttempt { changed.rotation.out = peer.rotation.out }
        if mistake == .eagerSwitch { _ = changed.rotation.promote(at: Self.moment) }
        return (changed, accept.key)
    }

    /// Rule 3: takes the ACCEPT that makes these keys.
    package func take(accept key: KeyName, _ peer: Peer, party: NameParty) -> Peer? {
        guard let rotate = key.rotate else { return nil }
        let accept = NameAccept(
            rotateName: rotate,
            copy: key.copy,
            terms: Self.terms(limit: bounds.limit)
        )
        var changed = peer
        // Nil is `alreadyDone`, a throw is a refusal: nothing happens either way.
        guard (try? changed.rotation.take(accept, party: party, at: Self.moment)) != nil else { return nil }
        if rotate.suite == .two { changed.isMarked = false }
        return changed
    }

    /// Rule 4: seals a message, under the current epoch or under the prepared one.
    package func send(_ peer: Peer) -> (peer: Peer, key: KeyName)? {
        var changed = peer
        guard let slot = try? changed.rotation.reserve(at: Self.moment),
            let epoch = changed.rotation.epoch(in: slot), epoch.keys.canSend
        else { return nil }
        changed.sealed[epoch.name, default: 0] += 1
        return (changed, epoch.name)
    }

    /// Rule 5 and the evidence for rule 6: reads a message under a key.
    package func read(_ key: KeyName, _ peer: Peer) -> Peer? {
        guard let found = peer.rotation.receiving.first(where: { $0.epoch.keys.name == key }) else {
            return nil
        }
        var changed = peer
        _ = changed.rotation.opened(under: found.slot, at: Self.moment)
        if mistake == .forgetsCount, found.slot == .next { changed.rotation.current.sent = 0 }
        return changed
    }

    /// Rule 6: the grace time of a past epoch ends, at any time at which only time keeps it.
    package func endGrace(_ index: Int, _ peer: Peer) -> Peer? {
        guard peer.rotation.past.indices.contains(index) else { return nil }
        guard peer.rotation.past[index].mayEnd || mistake == .plainTimer else { return nil }
        var changed = peer
        changed.rotation.past.remove(at: index)
        return changed
    }
}

extension Rotation<NameScheme> {
    /// As if every epoch had suite 01: nothing is below it.
    fileprivate mutating func lowerSuites() {
        current = current.lowered
        next = next.map {
            PreparedEpoch(
                epoch: $0.epoch.lowered,
                accept: $0.accept,
                rotateName: $0.rotateName,
                attempt: $0.attempt
            )
        }
        for index in past.indices { past[index].epoch = past[index].epoch.lowered }
    }
}

extension Epoch<NameScheme> {
    fileprivate var lowered: Epoch {
        Epoch(
            number: number,
            name: name,
            suite: .one,
            keys: keys,
            end: end,
            limit: limit,
            sent: sent,
            received: received,
            isRestored: isRestored
        )
    }
}
