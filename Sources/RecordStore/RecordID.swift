/// What a record is called: kind and name, unique together.
public struct RecordID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The kind.
    public let kind: RecordKind
    /// The name within the kind: 1–512 bytes of UTF-8 in normalisation form C (`NameRules`).
    public let name: String

    /// Takes a name over; `StoreError.invalidRecord(.name)` when it breaks the rules of `NameRules`.
    public init(kind: RecordKind, name: String) throws(StoreError) {
        guard NameRules.isValid(name) else { throw .invalidRecord(.name) }
        self.kind = kind
        self.name = name
    }

    /// Kind and name as text; `StoreError.invalidRecord` when either breaks its rules.
    public init(_ kind: String, _ name: String) throws(StoreError) {
        try self.init(kind: RecordKind(kind), name: name)
    }

    /// By kind, then by name, both in the order of their bytes.
    public static func < (left: Self, right: Self) -> Bool {
        left.kind == right.kind ? left.name < right.name : left.kind < right.kind
    }

    /// The text `kind/name`.
    public var description: String { "\(kind.rawValue)/\(name)" }
}
