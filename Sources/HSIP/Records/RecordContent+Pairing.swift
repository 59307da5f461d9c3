public import VaultCrypto

extension RecordContent {
    enum PairingFlag {
        static let live: UInt8 = 0
        static let ended: UInt8 = 1
        static let counterUnreliable: UInt8 = 1
        static let restored: UInt8 = 1
        static let initiator: UInt8 = 2
    }

    /// Enough bytes for a pairing with two open codes of suite 02.
    ///
    /// A pairing without such a code stays in the 1,024-byte class of the vault file.
    static let pairingCapacity = 4_000

    /// Encodes the record `hsip.pairing/<pid hex>`, with the keys while the pairing is alive.
    public static func encode(_ pairing: Pairing) throws(HSIPError) -> Secret {
        var writer = try ContentWriter(capacity: pairingCapacity)
        let suite = pairing.rotation?.highestSuite ?? .one
        try writer.byte(version(of: suite))
        try writer.raw(pairing.contact.bytes)
        try writer.byte(pairing.role.byte)
        try writer.byte(pairing.profile.rawValue)
        try writer.byte(pairing.isCounterUnreliable ? PairingFlag.counterUnreliable : 0)
        try writer.short(pairing.emoji)
        switch pairing.state {
        case .ended(let end):
            try writer.byte(PairingFlag.ended)
            try writer.byte(end.byPeer ? 1 : 0)
            try writer.time(end.at)
            try writer.byte(end.reason.rawValue)
            try writer.time(end.keptUntil)
            try writer.byte(UInt8(end.names.count))
            for name in end.names { try writer.raw(name) }
        case .live(let rotation):
            try writer.byte(PairingFlag.live)
            try encode(rotation, suite, &writer)
        }
        return try writer.content()
    }

    private static func encode(
        _ rotation: Rotation<HSIPScheme>,
        _ suite: Suite,
        _ writer: inout ContentWriter
    ) throws(HSIPError) {
        try encode(rotation.current, extra: 0, suite, &writer)
        try writer.number(rotation.seenAttempt)
        try writer.short(rotation.madeBy ?? [])
        try writer.byte(rotation.next == nil ? 0 : 1)
        if let next = rotation.next {
            try encode(next.epoch, extra: 0, suite, &writer)
            try writer.number(next.attempt)
            try writer.raw(next.rotateName)
            try suite == .two ? writer.long(next.accept.bytes) : writer.raw(next.accept.bytes)
        }
        try writer.byte(rotation.out == nil ? 0 : 1)
        if let out = rotation.out {
            try suite == .two ? writer.long(out.rotate.bytes) : writer.raw(out.rotate.bytes)
            try encode(out.ephemeral, &writer)
        }
        try writer.byte(UInt8(rotation.past.count))
        for old in rotation.past {
            try encode(old.epoch, extra: old.wasInitiator ? PairingFlag.initiator : 0, suite, &writer)
            try writer.time(old.switchedAt)
            try writer.time(old.peerSeenPast)
        }
    }

    private static func encode(
        _ epoch: Epoch<HSIPScheme>,
        extra: UInt8,
        _ suite: Suite,
        _ writer: inout ContentWriter
    ) throws(HSIPError) {
        try writer.number(epoch.number)
        try writer.raw(epoch.name)
        try writer.time(epoch.end)
        try writer.number(epoch.limit)
        try writer.number(epoch.sent)
        try writer.number(epoch.received)
        try writer.byte((epoch.isRestored ? PairingFlag.restored : 0) | extra)
        let keys = [
            epoch.keys.send, epoch.keys.sendNonce, epoch.keys.receive, epoch.keys.rotate, epoch.keys.chain,
        ]
        var present: UInt8 = 0
        for (bit, key) in keys.enumerated() where key != nil { present |= 1 << UInt8(bit) }
        try writer.byte(present)
        for case .some(let key) in keys { try writer.raw(key) }
        if suite == .two { try writer.byte(epoch.suite.rawValue) }
    }
}

extension Rotation {
    /// The highest suite of the epochs and of the waiting ROTATE.
    var highestSuite: Suite {
        var highest = past.reduce(current.suite) { max($0, $1.epoch.suite) }
        if let next { highest = max(highest, next.epoch.suite) }
        if let out { highest = max(highest, out.rotate.suite) }
        return highest
    }
}
