/// A record that is in the vault and cannot be vouched for, as far as it can be told which one it is.
///
/// What is told here is certain: a name that only may be the right one is left out.
public struct DamagedRecord: Hashable, Sendable, Codable {
    /// What is wrong with it.
    public enum Part: String, Hashable, Sendable, Codable, CaseIterable {
        /// Kind, name and attributes cannot be read.
        case meta
        /// The secret cannot be read.
        case body
        /// A record beside it is missing, was put back, or is damaged beyond telling: it may be an old one itself.
        case recordSet
    }

    /// Its kind; nil where it cannot be told: then it may be a record of any kind.
    public let kind: String?
    /// Its name within the kind; nil where it cannot be told.
    public let name: String?
    /// The lane of a vault file that it lies in; nil for a store without lanes.
    public let lane: Int?
    /// What is wrong with it.
    public let part: Part

    /// Puts together what a store could tell.
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

    /// The same as the part of a vault that failed.
    package var tampered: TamperedPart {
        if part == .recordSet, name == nil, let lane { .recordSet(lane: lane) } else { .record(self) }
    }
}
