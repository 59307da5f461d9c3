internal import HSIP
internal import RecordStore

/// How long what was removed can come back, and when it goes for good.
///
/// The clock of a machine may be wrong. So both go by the clock mark of the vault as well (Schemas/hsip-xc1.md section
/// 8): what is removed under a clock that is behind stays as long as anything else, and nothing goes before a time that is
/// certain.
public struct TrashPolicy: Sendable {
    /// Seconds for which what was removed can come back: 30 days.
    public static let retention: UInt64 = 30 * 86_400
    /// The last second that every record can hold.
    private static let latest = UInt64(UInt32.max)

    /// The removal time to record now, Unix seconds; never 0, which means "not in the trash".
    let removalTime: UInt64
    /// Records that were removed before this time are erased, Unix seconds.
    let limit: UInt64

    init(_ reader: any RecordReader, now: UInt64) {
        // Without a readable clock mark no time is certain, so nothing is erased.
        let mark = try? reader.clockMark()?.mark
        let certain = mark?.wipingTime(wallClock: now) ?? 0
        removalTime = min(max(now, certain, 1), Self.latest)
        // A mark that a wrong clock has put ahead makes nothing older.
        let time = min(now, certain)
        limit = time > Self.retention ? time - Self.retention : 0
    }

    /// Whether something has been in the trash long enough.
    func isOver(_ removedAt: UInt64?) -> Bool { removedAt.map { $0 < limit } ?? false }

    /// Until when something that was removed can come back, Unix seconds.
    public static func end(removedAt: UInt64) -> UInt64 { min(removedAt, latest) + retention }
}
