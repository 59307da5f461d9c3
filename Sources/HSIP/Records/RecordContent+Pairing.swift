public import VaultCrypto

extension RecordContent {
    private enum Flag {
        static let live: UInt8 = 0
        static let ended: UInt8 = 1
        static let counterUnreliable: UInt8 = 1
        static let restored: UInt8 = 1
        static let initiator: UInt8 = 2
    }

    /// Everything a pairing can hold at once stays in the 1,024-byte class of the vault file.
    static let pairingCapacity = 1_020

    /// `hsip.pairing/<pid hex>`: with the keys while it lives.
    public static func encode(_ pairing: Pairing) throws(HSIPError) -> Secret {
        var writer = try ContentWriter(capacity: pairingCapacity)
        try writer.u8(version)
        try writer.raw(pairing.contact.bytes)
        try writer.u8(pairing.role.byte)
        try writer.u8(pairing.profile.rawValue)
        try writer.u8(pairing.isCounterUnreliable ? Flag.counterUnreliable : 0)
        try writer.short(pairing.emoji)
        switch pairing.state {
        case .ended(let end):
            try writer.u8(Flag.ended)
            try writer.u8(end.byPeer ? 1 : 0)
            try writer.time(end.at)
            try writer.u8(end.reason.rawValue)
            try writer.time(end.keptUntil)
            try writer.u8(UInt8(end.names.count))
            for name in end.names { try writer.raw(name) }
        case .live(let rotation):
            try writer.u8(Flag.live)
            try encode(rotation, &writer)
        }
        return try writer.finish()
    }

    private static func encode(
        _ rotation: Rotation<SuiteOne>,
        _ writer: inout ContentWriter
    ) throws(HSIPError) {
        try encode(rotation.current, extra: 0, &writer)
        try writer.u16(rotation.seenAttempt)
        try writer.short(rotation.madeBy ?? [])
        try writer.u8(rotation.next == nil ? 0 : 1)
        if let next = rotation.next {
            try encode(next.epoch, extra: 0, &writer)
            try writer.u16(next.attempt)
            try writer.raw(next.rotateName)
            try writer.raw(next.accept.bytes)
        }
        try writer.u8(rotation.out == nil ? 0 : 1)
        if let out = rotation.out {
            try writer.raw(out.rotate.bytes)
            try writer.raw(out.ephemeral)
        }
        try writer.u8(UInt8(rotation.past.count))
        for old in rotation.past {
            try encode(old.epoch, extra: old.wasInitiator ? Flag.initiator : 0, &writer)
            try writer.time(old.switchedAt)
            try writer.time(old.peerSeenPast)
        }
    }

    private static func encode(
        _ epoch: Epoch<SuiteOne>,
        extra: UInt8,
        _ writer: inout ContentWriter
    ) throws(HSIPError) {
        try writer.u32(epoch.number)
        try writer.raw(epoch.name)
        try writer.time(epoch.end)
        try writer.u16(epoch.limit)
        try writer.u16(epoch.sent)
        try writer.u16(epoch.received)
        try writer.u8((epoch.isRestored ? Flag.restored : 0) | extra)
        let keys = [
            epoch.keys.send, epoch.keys.sendNonce, epoch.keys.receive, epoch.keys.rotate, epoch.keys.chain,
        ]
        var present: UInt8 = 0
        for (bit, key) in keys.enumerated() where key != nil { present |= 1 << UInt8(bit) }
        try writer.u8(present)
        for case .some(let key) in keys { try writer.raw(key) }
    }

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
            case Flag.live: .live(try rotation(&reader))
            case Flag.ended: .ended(try ended(&reader))
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
                accept: try AcceptCode(bytes: try reader.take(AcceptCode.byteCount)),
                rotateName: name,
                attempt: attempt
            )
        }
        if try reader.bool() {
            let rotate = try RotateCode(bytes: try reader.take(RotateCode.byteCount))
            rotation.out = RotationAttempt(rotate: rotate, ephemeral: try reader.secret(32))
        }
        let count = try reader.byte()
        guard count <= Rotation<SuiteOne>.maximumPast else { throw .malformed }
        for _ in 0..<count {
            let old = try epoch(&reader)
            rotation.past.append(
                PastEpoch(
                    epoch: old.epoch,
                    wasInitiator: old.flags & Flag.initiator != 0,
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
        guard flags & Flag.initiator == 0 else { throw .malformed }
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
            isRestored: flags & Flag.restored != 0
        )
        return (epoch, flags)
    }
}
