/// The keys of a pairing over time: rules 1 to 6 of Schemas/hsip-xc1.md section 8 as one pure value.
///
/// The type reads no clock, draws no randomness by itself, and knows no storage. The caller makes each mutation durable
/// before any output leaves.
public struct Rotation<Scheme: RotationScheme>: Sendable {
    /// The epoch in use.
    public var current: Epoch<Scheme>
    /// Epoch n+1, prepared as responder.
    public var next: PreparedEpoch<Scheme>?
    /// At most two replaced epochs, newest first.
    public var past: [PastEpoch<Scheme>]
    /// My own ROTATE under `current`.
    public var out: RotationAttempt<Scheme>?
    /// The highest attempt towards epoch n+1, own or received.
    public var seenAttempt: UInt16
    /// The ROTATE that made `current`; nil for epoch 0.
    public var madeBy: Scheme.RotateName?

    /// The most replaced epochs that are kept.
    public static var maximumPast: Int { 2 }

    /// The distance between the last known attempt and the next one after a restore.
    public static var restoredStep: UInt16 { 256 }

    /// A pairing's keys, new or stored.
    public init(
        current: Epoch<Scheme>,
        next: PreparedEpoch<Scheme>? = nil,
        past: [PastEpoch<Scheme>] = [],
        out: RotationAttempt<Scheme>? = nil,
        seenAttempt: UInt16 = 0,
        madeBy: Scheme.RotateName? = nil
    ) {
        self.current = current
        self.next = next
        self.past = past
        self.out = out
        self.seenAttempt = seenAttempt
        self.madeBy = madeBy
    }

    /// Starts a new attempt (rule 1), replacing an older attempt of mine.
    ///
    /// This is also allowed for an exhausted, expired or restored epoch while its chain is present. The ROTATE never
    /// has a lower suite than the epoch, even if a lower one is requested.
    /// - Throws: `lapsed` if the chain is missing, `attemptsExhausted` after attempt 65,535.
    public mutating func start(
        suite: Suite,
        terms: Terms,
        party: Scheme.Party
    ) throws(HSIPError) -> Scheme.Rotate {
        guard current.keys.canRotate else { throw .lapsed }
        guard seenAttempt < .max else { throw .attemptsExhausted }
        // A backup does not know the attempts made after it, so a new attempt is numbered above them.
        let step = current.isRestored ? Self.restoredStep : 1
        let attempt = seenAttempt > .max - step ? .max : seenAttempt + step
        let (rotate, ephemeral) = try Scheme.rotate(
            under: current.keys,
            name: current.name,
            epoch: current.number + 1,
            attempt: attempt,
            suite: max(suite, current.suite),
            terms: terms,
            party: party
        )
        out = RotationAttempt(rotate: rotate, ephemeral: ephemeral)
        seenAttempt = attempt
        return rotate
    }

    /// Accepts the ACCEPT of my live attempt (rule 3).
    ///
    /// - Returns: the dropped epochs, because at most two replaced epochs are kept; nil if this ACCEPT was accepted before
    ///   (`alreadyDone`).
    /// - Throws: `staleCode` if the code answers no live attempt; `codeFromFuture`; `codeExpired`; `badSignature`; `badKey`;
    ///   `malformed` for another suite or for terms above the offered terms.
    public mutating func take(
        _ accept: Scheme.Accept,
        party: Scheme.Party,
        at moment: Moment
    ) throws(HSIPError) -> [Epoch<Scheme>]? {
        if let madeBy, accept.rotateName == madeBy { return nil }
        guard let out, out.rotate.rotateName == accept.rotateName, accept.parent == current.name,
            accept.epoch == current.number + 1
        else { throw .staleCode }
        guard accept.suite == out.rotate.suite else { throw .malformed }
        try accept.terms.check(at: moment)
        let made = try Scheme.finish(
            accept,
            of: out.rotate,
            ephemeral: out.ephemeral,
            under: current.keys,
            party: party
        )
        guard accept.terms.isWithin(out.rotate.terms) else { throw .malformed }
        guard accept.terms.epochEnd >= moment.effective else { throw .codeExpired }
        let fresh = Epoch<Scheme>(
            number: current.number + 1,
            name: made.name,
            suite: accept.suite,
            keys: made.keys,
            end: accept.terms.epochEnd,
            limit: accept.terms.limit
        )
        notePeer(under: current.number, at: moment)
        return advance(to: fresh, madeBy: accept.rotateName, asInitiator: true, at: moment)
    }

    /// Makes the prepared epoch the current one, because the peer uses it (rule 5).
    public mutating func promote(at moment: Moment) -> [Epoch<Scheme>] {
        guard let next else { return [] }
        return advance(to: next.epoch, madeBy: next.rotateName, asInitiator: false, at: moment)
    }

    private mutating func advance(
        to fresh: Epoch<Scheme>,
        madeBy rotate: Scheme.RotateName,
        asInitiator: Bool,
        at moment: Moment
    ) -> [Epoch<Scheme>] {
        var old = current
        old.keys.retire()
        past.insert(
            PastEpoch(epoch: old, wasInitiator: asInitiator, switchedAt: moment.effective),
            at: 0
        )
        current = fresh
        madeBy = rotate
        next = nil
        out = nil
        seenAttempt = 0
        if !asInitiator { notePeer(under: fresh.number, at: moment) }
        let dropped = past.dropFirst(Self.maximumPast).map(\.epoch)
        past = Array(past.prefix(Self.maximumPast))
        return dropped
    }

    /// Notes that the peer has used epoch `number`, so that it needs no lower one (rule 6).
    mutating func notePeer(under number: UInt32, at moment: Moment) {
        for index in past.indices where past[index].epoch.number < number {
            if past[index].peerSeenPast == nil { past[index].peerSeenPast = moment.effective }
        }
    }
}

extension Terms {
    /// Checks that the code is not from the future and not too late, by the rules of section 3.
    ///
    /// - Throws: `codeFromFuture` or `codeExpired`.
    public func check(at moment: Moment) throws(HSIPError) {
        if issued > moment.wallClock + Moment.tolerance {
            throw .codeFromFuture(seconds: Int64(issued - moment.wallClock))
        }
        guard moment.effective <= codeEnd + Moment.tolerance else { throw .codeExpired }
    }

    /// True if life and limit do not exceed the other terms.
    public func isWithin(_ other: Terms) -> Bool {
        lifeHours <= other.lifeHours && limit <= other.limit
    }
}
