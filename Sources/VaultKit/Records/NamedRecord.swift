internal import HSIP
internal import RecordStore
internal import VaultCrypto

/// A record under a name that a person chose; it can be renamed, and is removed through the trash.
protocol NamedRecord {
    /// The kind of its records.
    static var recordKind: String { get }
    /// The attribute that identifies the record under any name; nil if only the name does.
    static var identity: String? { get }
    /// Bytes in the longest name.
    static var longestName: Int { get }
    /// Whether every change purges the trash; otherwise only imports, and changes that fill or empty the
    /// trash.
    static var isPurgedByEveryChange: Bool { get }
    /// The errors about names of this kind.
    static var refusals: NameRefusals { get }
    /// Whether a text is a valid name.
    static func isName(_ name: String) -> Bool

    /// Time of removal to the trash, Unix seconds; nil if the record is not there.
    var removedAt: UInt64? { get set }
    /// When it expires, Unix seconds; nil for never.
    var expires: UInt64? { get }

    /// Reads what `body` wrote.
    init(body: Secret) throws
    /// The content, in locked memory.
    func body() throws -> Secret
    /// What lists and searches need, so that no secret is opened for them.
    func attributes() throws -> Attributes
}

/// The errors about the names of one kind of record.
struct NameRefusals {
    let unknown: VaultError
    let inTrash: VaultError
    let taken: VaultError
    let bad: VaultError
}

extension NamedRecord {
    var expires: UInt64? { nil }

    /// Nil for a name that no record can have.
    static func id(_ name: String) -> RecordID? { try? RecordID(recordKind, name) }

    /// A record under a name.
    ///
    /// `body` is the content that this was read from, where there is one; without it the content is written
    /// again.
    func draft(named name: String, body: Secret? = nil) throws -> RecordDraft {
        RecordDraft(
            id: try RecordID(Self.recordKind, name),
            attributes: try attributes(),
            expires: (expires ?? 0) * 1000,
            body: try body ?? self.body()
        )
    }
}

extension Attributes {
    /// When the record was put into the trash, Unix seconds.
    var removedAt: UInt64? { self["removed"].flatMap { UInt64($0) } }
}

extension RecordReader {
    /// The info of the record with this name; nil if there is none.
    func info<Content: NamedRecord>(_: Content.Type, _ name: String) throws -> RecordInfo? {
        guard let id = Content.id(name) else { return nil }
        return try info(id)
    }

    /// The record with this name, also from the trash; nil if there is none.
    func found<Content: NamedRecord>(
        _: Content.Type,
        _ name: String
    ) throws -> (info: RecordInfo, content: Content)? {
        guard let id = Content.id(name) else { return nil }
        guard let record = try find(id) else { return nil }
        return (record.info, try Content(body: record.body))
    }

    /// The record of a name.
    ///
    /// - Throws: that there is none; that it is in the trash, unless those are wanted, too.
    func opened<Content: NamedRecord>(
        _: Content.Type,
        _ name: String,
        inTrash: Bool = false
    ) throws -> (info: RecordInfo, content: Content) {
        guard let found = try found(Content.self, name) else { throw Content.refusals.unknown }
        guard inTrash || found.content.removedAt == nil else { throw Content.refusals.inTrash }
        return found
    }

    /// All records of a kind with some attributes, by name, and those that are damaged; none is opened.
    func survey<Content: NamedRecord>(
        _: Content.Type,
        where attributes: Attributes = .none
    ) throws -> RecordSurvey {
        try survey(try RecordKind(Content.recordKind), where: attributes)
    }
}

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
