package import RecordStore

/// The kinds of records whose items hold the body itself as their secret.
package enum PlainKinds: Sendable {
    /// Those of the format: `password` and `token`.
    case standard
    /// All of them: for tests of the form.
    case every

    /// Whether records of a kind are kept in the plain form.
    package func contains(_ kind: RecordKind) -> Bool {
        switch self {
        case .standard: kind.rawValue == "password" || kind.rawValue == "token"
        case .every: true
        }
    }
}
