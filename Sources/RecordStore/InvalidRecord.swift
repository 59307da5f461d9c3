/// The rule that a record to be written breaks (Schemas/vault-file.md section 3).
public enum InvalidRecord: Equatable, Sendable, Codable {
    case kind
    case name
    case label
    case attributeCount
    case attributeName
    case attributeValue
    /// Kind, name, label and attributes together are too long.
    case meta
    case body
    case uid
    /// A change set names the same record twice.
    case repeatedID
    /// A slot's secret or label is out of bounds.
    case slot
}
