internal import VaultCrypto

/// Why the key changes.
package enum RekeyReason: UInt8, Hashable, Sendable {
    /// The log begins.
    case founding = 0
    /// What was is left behind: a snapshot follows, and nothing leads back.
    case compaction = 1
    /// A machine was removed.
    case removal = 2
    /// The key is a month old, or a paper machine was added and needs a box of its own.
    case periodic = 3

    /// Whether a snapshot follows, and the old key is not handed on.
    package var isCompaction: Bool { self == .founding || self == .compaction }
}

/// The body of a rekey.
struct RekeyBody: Sendable {
    let reason: RekeyReason
    /// The key of the epoch before; none in a compaction.
    let previous: Secret?
    /// Parts of the snapshot that follows; 0 where none does.
    let parts: Int
    /// The entries before a compaction.
    let chain: ChainList

    /// Reads the body of the rekey at a place.
    ///
    /// - Throws: `newerEntry`, `logTampered`, `logTooLarge`.
    init(_ body: Secret, at place: UInt64) throws(LogError) {
        var reader = LogReader(body)
        guard let reason = RekeyReason(rawValue: try reader.byte()) else { throw LogError(.newerEntry) }
        self.reason = reason
        let hasPrevious = try reader.byte()
        guard hasPrevious == (reason.isCompaction ? 0 : 1) else { throw LogError(.logTampered) }
        guard reason.isCompaction else {
            previous = Secret(try reader.secret(count: EpochKey.size))
            parts = 0
            chain = ChainList()
            try reader.finish()
            return
        }
        previous = nil
        parts = try reader.checked(try reader.uint32(), limit: LogLimits.snapshotParts)
        let count = try reader.checked(try reader.uint32(), limit: LogLimits.chain)
        guard parts > 0, UInt64(count) < place, count > 0 || place == 1, count * 32 == reader.remaining,
            (reason == .founding) == (place == 1)
        else { throw LogError(.logTampered) }
        var hashes: [[UInt8]] = []
        for _ in 0..<count { hashes.append(try reader.take(32)) }
        chain = ChainList(endingAt: place - 1, hashes)
    }

    /// The body of a compaction, or of the founding.
    static func compaction(_ reason: RekeyReason, parts: Int, chain: ChainList) throws(LogError) -> Secret {
        var writer = try LogWriter()
        try writer.raw([reason.rawValue, 0])
        try writer.number(UInt32(parts))
        try writer.number(UInt32(chain.newest.count))
        for hash in chain.newest { try writer.raw(hash) }
        return try writer.content()
    }

    /// The body of a rekey that hands the previous key on.
    static func handingOn(_ previous: Secret, _ reason: RekeyReason) throws(LogError) -> Secret {
        var writer = try LogWriter()
        try writer.raw([reason.rawValue, 1])
        try writer.raw(previous)
        return try writer.content()
    }
}
