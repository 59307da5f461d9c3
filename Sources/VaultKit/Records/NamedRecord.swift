internal import HSIP
internal import RecordStore
internal import VaultCrypto

/// A record with a name that a person chose; it can be renamed, and its removal goes through the trash.
protocol NamedRecord {
    /// The kind of its records.
    static var recordKind: String { get }
    /// The attribute that identifies the record under any name; nil if only the name does.
    static var identity: String? { get }
    /// Bytes in the longest name.
    static var longestName: Int { get }
    /// Whether every change purges the trash.
    ///
    /// If not, only imports and changes that fill or empty the trash do.
    static var isPurgedByEveryChange: Bool { get }
    /// The errors about names of this kind.
    static var refusals: NameRefusals { get }
    /// Whether a text is a valid name.
    static func isName(_ name: String) -> Bool

    /// Time of removal to the trash, Unix seconds; nil if the record is not there.
    var removedAt: UInt64? { get set }
    /// When it expires, Unix seconds; nil for never.
    var expires: UInt64? { get }

    /// Reads the output of `body`.
    init(body: Secret) throws
    /// The content, in locked memory.
    func body() throws -> Secret
    /// The attributes that lists and searches need, so that they open no secret.
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

    /// The record id of a name; nil for an invalid name.
    static func id(_ name: String) -> RecordID? { try? RecordID(recordKind, name) }

    /// Makes the draft of a record with this name.
    ///
    /// `body` is the body that the content was read from, if there is one; if it is nil, the content is encoded again.
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

    /// The record with this name.
    ///
    /// - Throws: the kind's error for an unknown name, and for a record in the trash unless `inTrash`.
    func opened<Content: NamedRecord>(
        _: Content.Type,
        _ name: String,
        inTrash: Bool = false
    ) throws -> (info: RecordInfo, content: Content) {
        guard let found = try found(Content.self, name) else { throw Content.refusals.unknown }
        guard inTrash || found.content.removedAt == nil else { throw Content.refusals.inTrash }
        return found
    }

    /// Lists the records of a kind with these attributes, by name, and the damaged records; opens none of them.
    func survey<Content: NamedRecord>(
        _: Content.Type,
        where attributes: Attributes = .none
    ) throws -> RecordSurvey {
        try survey(try RecordKind(Content.recordKind), where: attributes)
    }
}

/// How long removed records can be restored, and when they are erased.
///
/// The clock of a machine may be wrong. So both times also use the clock mark of the vault (Schemas/hsip-xc1.md
/// section 8). A record that is removed while the clock is behind stays as long as any other. No record is erased
/// before a time that is certain.
public struct TrashPolicy: Sendable {
    /// Seconds for which a removed record can be restored: 30 days.
    public static let retention: UInt64 = 30 * 86_400
    /// The highest time that every record can store.
    private static let latest = UInt64(UInt32.max)

    /// The removal time to record now, Unix seconds; never 0, which means "not in the trash".
    let removalTime: UInt64
    /// Records that were removed before this time are erased, Unix seconds.
    let limit: UInt64

    init(_ reader: any RecordReader, now: UInt64) {
        // If the clock mark is unreadable, no time is certain, so no record is erased.
        let mark = try? reader.clockMark()?.mark
        let certain = mark?.wipingTime(wallClock: now) ?? 0
        removalTime = min(max(now, certain, 1), Self.latest)
        // A clock mark that a wrong clock set ahead does not make records older.
        let time = min(now, certain)
        limit = time > Self.retention ? time - Self.retention : 0
    }

    /// Whether a removed record has been in the trash long enough.
    func isOver(_ removedAt: UInt64?) -> Bool { removedAt.map { $0 < limit } ?? false }

    /// The time until which a removed record can be restored, Unix seconds.
    public static func end(removedAt: UInt64) -> UInt64 { min(removedAt, latest) + retention }
}
