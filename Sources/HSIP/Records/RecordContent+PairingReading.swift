public import VaultCrypto

extension RecordContent {
    /// Decodes the record `hsip.pairing/<pid hex>`.
    public static func pairing(_ content: Secret, id: PairingID) throws(HSIPError) -> Pairing {
        var reader = ContentReader(content)
        let suite = try reader.suiteVersion()
        let contact = try reader.peer()
        guard let role = Role(rawValue: try reader.byte()),
            let profile = Pairing.Profile(rawValue: try reader.byte())
        else { throw .malformed }
        let isUnreliable = try reader.bool()
        let emoji = try reader.short()
        guard emoji.isEmpty || emoji.count == 12, emoji.allSatisfy({ $0 < 60 }) else { throw .malformed }
        let state: Pairing.State =
            switch try reader.byte() {
            case PairingFlag.live: .live(try rotation(suite, &reader))
            case PairingFlag.ended: .ended(try ended(&reader))
            default: throw .malformed
            }
        try reader.finish()
        if suite == .two, profile == .single { throw .malformed }
        if case .ended = state, suite == .two { throw .malformed }
        return Pairing(
            id: id,
            contact: contact,
            role: role,
            profile: profile,
            emoji: emoji,
            isCounterUnreliable: isUnreliable,
            state: state
        )
    }

    private static func ended(_ reader: inout ContentReader) throws(HSIPError) -> Pairing.Ended {
        let byPeer = try reader.bool()
        let at = try reader.time()
        guard let reason = RevokeReason(rawValue: try reader.byte()) else { throw .malformed }
        let keptUntil = try reader.optionalTime()
        var names: [[UInt8]] = []
        let count = try reader.byte()
        guard count <= 2 + Rotation<HSIPScheme>.maximumPast else { throw .malformed }
        for _ in 0..<count { names.append(try reader.take(8)) }
        return Pairing.Ended(byPeer: byPeer, at: at, reason: reason, names: names, keptUntil: keptUntil)
    }

    private static func rotation(
        _ suite: Suite,
        _ reader: inout ContentReader
    ) throws(HSIPError) -> Rotation<HSIPScheme> {
        var rotation = Rotation<HSIPScheme>(current: try liveEpoch(suite, &reader))
        rotation.seenAttempt = try reader.uint16()
        let madeBy = try reader.short()
        guard madeBy.isEmpty || madeBy.count == 16 else { throw .malformed }
        rotation.madeBy = madeBy.isEmpty ? nil : madeBy
        if try reader.bool() {
            let fresh = try liveEpoch(suite, &reader)
            let attempt = try reader.uint16()
            let name = try reader.take(16)
            let accept = try suite == .two ? reader.long() : reader.take(AcceptCode.fixedCount)
            rotation.next = PreparedEpoch(
                epoch: fresh,
                accept: try AcceptCode(bytes: accept),
                rotateName: name,
                attempt: attempt
            )
        }
        if try reader.bool() {
            let bytes = try suite == .two ? reader.long() : reader.take(RotateCode.fixedCount)
            let rotate = try RotateCode(bytes: bytes)
            rotation.out = RotationAttempt(
                rotate: rotate,
                ephemeral: try reader.oneTimeSecret(rotate.suite)
            )
        }
        let count = try reader.byte()
        guard count <= Rotation<HSIPScheme>.maximumPast else { throw .malformed }
        for _ in 0..<count {
            let old = try epoch(suite, &reader)
            rotation.past.append(
                PastEpoch(
                    epoch: old.epoch,
                    wasInitiator: old.flags & PairingFlag.initiator != 0,
                    switchedAt: try reader.time(),
                    peerSeenPast: try reader.optionalTime()
                )
            )
        }
        guard rotation.highestSuite == suite, rotation.hasFloor else { throw .malformed }
        return rotation
    }

    /// Reads an epoch that was not replaced, so that neither side has switched away from it.
    private static func liveEpoch(
        _ suite: Suite,
        _ reader: inout ContentReader
    ) throws(HSIPError) -> Epoch<HSIPScheme> {
        let (epoch, flags) = try epoch(suite, &reader)
        guard flags & PairingFlag.initiator == 0 else { throw .malformed }
        return epoch
    }

    private static func epoch(
        _ highest: Suite,
        _ reader: inout ContentReader
    ) throws(HSIPError) -> (epoch: Epoch<HSIPScheme>, flags: UInt8) {
        let number = try reader.uint32()
        let name = try reader.take(8)
        let end = try reader.time()
        let limit = try reader.uint16()
        let sent = try reader.uint16()
        let received = try reader.uint16()
        let flags = try reader.byte()
        let present = try reader.byte()
        guard flags < 4, present < 32, number < .max, sent <= limit else { throw .malformed }
        guard (1...Terms.highestLimit).contains(limit) else { throw .malformed }
        var keys: [Secret?] = []
        for bit in UInt8(0)..<5 { keys.append(present >> bit & 1 == 1 ? try reader.secret(32) : nil) }
        let byte = highest == .two ? try reader.byte() : Suite.one.rawValue
        guard let suite = Suite(rawValue: byte) else { throw .malformed }
        let epoch = Epoch<HSIPScheme>(
            number: number,
            name: name,
            suite: suite,
            keys: EpochKeys(
                send: keys[0],
                sendNonce: keys[1],
                receive: keys[2],
                rotate: keys[3],
                chain: keys[4]
            ),
            end: end,
            limit: limit,
            sent: sent,
            received: received,
            isRestored: flags & PairingFlag.restored != 0
        )
        return (epoch, flags)
    }
}

extension Rotation<HSIPScheme> {
    /// True if no epoch and no code has a lower suite than the epoch that it continues.
    fileprivate var hasFloor: Bool {
        let isKept = past.allSatisfy { $0.epoch.suite <= current.suite }
        let isRaised =
            next.map { $0.epoch.suite >= current.suite && $0.accept.suite == $0.epoch.suite } ?? true
        return isKept && isRaised && out.map { $0.rotate.suite >= current.suite } ?? true
    }
}
