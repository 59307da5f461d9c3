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
