public import VaultCrypto

/// One consistent view of a store; valid only inside the `Store.read` that gave it.
///
/// Every answer is authenticated, "not found" too. Data that fails authentication is an error, never a shorter
/// list.
public protocol RecordReader {
    /// Records with a lower revision were written before the last restore; goes into `ChangeSet.floor`.
    var floor: UInt64 { get }
    /// Number of the newest commit in this view.
    var generation: UInt64 { get }

    /// The record with its secret; nil when there is none.
    func find(_ id: RecordID) throws(StoreError) -> Record?

    /// The record without its secret; nil when there is none.
    func info(_ id: RecordID) throws(StoreError) -> RecordInfo?

    /// Records of a kind (nil = every kind) that have all of the given attributes, ascending by id.
    ///
    /// - Throws: `tampered` if a damaged record may belong to the list.
    func list(_ kind: RecordKind?, where attributes: Attributes) throws(StoreError) -> [RecordInfo]

    /// Like `list`, but reports damaged records instead of throwing.
    ///
    /// For display only: a decision that depends on an absent record needs `list`.
    func survey(_ kind: RecordKind?, where attributes: Attributes) throws(StoreError) -> RecordSurvey
}

extension RecordReader {
    /// Records of a kind (nil = every kind), ascending by id.
    public func list(_ kind: RecordKind?) throws(StoreError) -> [RecordInfo] {
        try list(kind, where: .none)
    }

    /// Like `list`, for every attribute, but reports damaged records instead of throwing.
    public func survey(_ kind: RecordKind?) throws(StoreError) -> RecordSurvey {
        try survey(kind, where: .none)
    }

    /// For a store that cannot locate damage: throws if any record is damaged.
    public func survey(
        _ kind: RecordKind?,
        where attributes: Attributes
    ) throws(StoreError) -> RecordSurvey {
        RecordSurvey(records: try list(kind, where: attributes), damaged: [])
    }
}

extension RecordReader {
    /// The first record that differs between two views, by info or secret; nil if all are equal.
    ///
    /// Secrets are compared in constant time, two of them in memory at once.
    package func firstDifference(from other: any RecordReader) throws(StoreError) -> RecordID? {
        let (mine, theirs) = (try list(nil), try other.list(nil))
        for (left, right) in zip(mine, theirs) where left != right { return min(left.id, right.id) }
        guard mine.count == theirs.count else {
            return mine.count > theirs.count ? mine[theirs.count].id : theirs[mine.count].id
        }
        for info in mine {
            guard let left = try find(info.id), let right = try other.find(info.id), left.info == right.info,
                ConstantTime.equal(left.body, right.body)
            else { return info.id }
        }
        return nil
    }
}

/// A record with its secret.
public struct Record: Sendable {
    /// Everything but the secret.
    public let info: RecordInfo
    /// The secret, in locked memory, at most 16 MiB.
    public let body: Secret

    /// Joins info and secret, as a store does when it answers.
    package init(info: RecordInfo, body: Secret) {
        self.info = info
        self.body = body
    }
}

/// The sound and the damaged records of a list; for display, never for decisions.
public struct RecordSurvey: Sendable {
    /// The records that passed authentication.
    public internal(set) var records: [RecordInfo]
    /// Every damaged record that may belong to the list.
    public internal(set) var damaged: [DamagedRecord]

    package init(records: [RecordInfo], damaged: [DamagedRecord]) {
        self.records = records
        self.damaged = damaged
    }
}

/// The kind of a record, such as `hsip.contact`: lower-case letters, digits, dots and dashes.
public struct RecordKind: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The text, `[a-z0-9][a-z0-9.-]{0,31}`.
    public let rawValue: String

    /// Checks a kind; throws `StoreError.invalidRecord(.kind)` if it breaks the rule.
    public init(_ rawValue: String) throws(StoreError) {
        let bytes = rawValue.utf8
        guard let first = bytes.first, bytes.count <= RecordLimits.kind, Self.isAlphanumeric(first),
            bytes.allSatisfy({ Self.isAlphanumeric($0) || $0 == 0x2D || $0 == 0x2E })
        else { throw .invalidRecord(.kind) }
        self.rawValue = rawValue
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
    }

    /// Orders kinds by their bytes.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The text.
    public var description: String { rawValue }
}
