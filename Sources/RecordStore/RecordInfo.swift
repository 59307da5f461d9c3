/// Number of the commit that wrote a record; 0 means that there is no record.
///
/// Together with the floor under which the record was read, a revision never repeats, even if a forked copy is
/// restored. So compare-and-swap has no ABA case.
public typealias Revision = UInt64

/// Everything about a record but its secret.
public struct RecordInfo: Sendable, Equatable {
    /// Kind and name.
    public let id: RecordID
    /// The commit that wrote it.
    public let revision: Revision
    /// 16 random bytes that survive a rename.
    public let uid: [UInt8]
    /// When the record was first written, in milliseconds of Unix time.
    public let created: UInt64
    /// When it was last written, in milliseconds of Unix time.
    public let modified: UInt64
    /// When it expires, in milliseconds of Unix time, 0 for never.
    ///
    /// The store only keeps it: nothing disappears by itself.
    public let expires: UInt64
    /// Text for people, at most 1,024 bytes.
    public let label: String
    /// Searchable values.
    public let attributes: Attributes
    /// Whether the record was written before the vault was last restored: its revision is below the floor.
    public let predatesRestore: Bool
    /// Whether a newer program wrote it; it can be listed, but not read, replaced or deleted
    /// (`StoreError.newerRecord`).
    public let isNewer: Bool

    /// Creates the info from its parts, for a store's answers.
    package init(
        id: RecordID,
        revision: Revision,
        uid: [UInt8],
        created: UInt64,
        modified: UInt64,
        expires: UInt64,
        label: String,
        attributes: Attributes,
        predatesRestore: Bool,
        isNewer: Bool = false
    ) {
        self.id = id
        self.revision = revision
        self.uid = uid
        self.created = created
        self.modified = modified
        self.expires = expires
        self.label = label
        self.attributes = attributes
        self.predatesRestore = predatesRestore
        self.isNewer = isNewer
    }
}

/// A record of the vault that fails authentication, identified as far as possible.
///
/// The facts are certain: a name that only may be right is left out.
public struct DamagedRecord: Hashable, Sendable, Codable {
    /// The damaged part.
    public enum Part: String, Hashable, Sendable, Codable, CaseIterable {
        /// Kind, name and attributes are unreadable.
        case meta
        /// The secret is unreadable.
        case body
        /// A record beside it is missing, was put back, or is damaged beyond telling: it may be an old one itself.
        case recordSet
    }

    /// The kind of the record; nil if unknown, so it may be any kind.
    public let kind: String?
    /// The name within the kind; nil if unknown.
    public let name: String?
    /// The record's lane in a vault file; nil for a store without lanes.
    public let lane: Int?
    /// The damaged part.
    public let part: Part

    /// Collects the facts that a store knows.
    package init(_ id: RecordID?, lane: Int? = nil, part: Part) {
        kind = id?.kind.rawValue
        name = id?.name
        self.lane = lane
        self.part = part
    }

    /// Whether a list of a kind (nil = every kind) may be short of it.
    public func mayBe(_ kind: RecordKind?) -> Bool {
        guard let kind, let own = self.kind else { return true }
        return own == kind.rawValue
    }

    /// The failed part of the vault, for an error.
    package var tampered: TamperedPart {
        if part == .recordSet, name == nil, let lane { .recordSet(lane: lane) } else { .record(self) }
    }
}
