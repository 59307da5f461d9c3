public import VaultCrypto

extension RecordContent {
    /// `hsip.pairing/<pid hex>`.
    public static func pairing(_ content: Secret, id: PairingID) throws(HSIPError) -> Pairing {
        var reader = ContentReader(content)
        try reader.version()
        let contact = try reader.peer()
        guard let role = Role(rawValue: try reader.byte()),
            let profile = Pairing.Profile(rawValue: try reader.byte())
        else { throw .malformed }
        let isUnreliable = try reader.bool()
        let emoji = try reader.short()
        guard emoji.isEmpty || emoji.count == 12, emoji.allSatisfy({ $0 < 60 }) else { throw .malformed }
        let state: Pairing.State =
            switch try reader.byte() {
            case PairingFlag.live: .live(try rotation(&reader))
            case PairingFlag.ended: .ended(try ended(&reader))
            default: throw .malformed
            }
        try reader.finish()
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
        guard count <= 2 + Rotation<SuiteOne>.maximumPast else { throw .malformed }
        for _ in 0..<count { names.append(try reader.take(8)) }
        return Pairing.Ended(byPeer: byPeer, at: at, reason: reason, names: names, keptUntil: keptUntil)
    }

    private static func rotation(_ reader: inout ContentReader) throws(HSIPError) -> Rotation<SuiteOne> {
        var rotation = Rotation<SuiteOne>(current: try liveEpoch(&reader))
        rotation.seenAttempt = try reader.uint16()
        let madeBy = try reader.short()
        guard madeBy.isEmpty || madeBy.count == 16 else { throw .malformed }
        rotation.madeBy = madeBy.isEmpty ? nil : madeBy
        if try reader.bool() {
            let fresh = try liveEpoch(&reader)
            let attempt = try reader.uint16()
            let name = try reader.take(16)
            rotation.next = PreparedEpoch(
                epoch: fresh,
                accept: try AcceptCode(bytes: try reader.take(AcceptCode.fixedCount)),
                rotateName: name,
                attempt: attempt
            )
        }
        if try reader.bool() {
            let rotate = try RotateCode(bytes: try reader.take(RotateCode.fixedCount))
            rotation.out = RotationAttempt(rotate: rotate, ephemeral: try reader.secret(32))
        }
        let count = try reader.byte()
        guard count <= Rotation<SuiteOne>.maximumPast else { throw .malformed }
        for _ in 0..<count {
            let old = try epoch(&reader)
            rotation.past.append(
                PastEpoch(
                    epoch: old.epoch,
                    wasInitiator: old.flags & PairingFlag.initiator != 0,
                    switchedAt: try reader.time(),
                    peerSeenPast: try reader.optionalTime()
                )
            )
        }
        return rotation
    }

    /// An epoch that was not replaced: neither side has switched away from it.
    private static func liveEpoch(_ reader: inout ContentReader) throws(HSIPError) -> Epoch<SuiteOne> {
        let (epoch, flags) = try epoch(&reader)
        guard flags & PairingFlag.initiator == 0 else { throw .malformed }
        return epoch
    }

    private static func epoch(
        _ reader: inout ContentReader
    ) throws(HSIPError) -> (epoch: Epoch<SuiteOne>, flags: UInt8) {
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
        let epoch = Epoch<SuiteOne>(
            number: number,
            name: name,
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
