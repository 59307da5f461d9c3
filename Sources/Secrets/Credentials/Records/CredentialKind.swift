/// What a credential is; it says which field is meant when none is named.
public enum CredentialKind: UInt8, CaseIterable, Sendable, Codable {
    /// Something to log in with: user, password, and what belongs to them.
    case login
    /// One value that opens something: an API key, a personal access token.
    case token
    /// Text of any kind.
    case note
    /// The bytes of a file.
    case file

    /// The kind, as the command line and the JSON output spell it.
    public var word: String {
        switch self {
        case .login: "login"
        case .token: "token"
        case .note: "note"
        case .file: "file"
        }
    }

    /// The kind of a word; nil for one that means none.
    public init?(word: String) {
        guard let kind = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = kind
    }

    /// The field that is meant when none is named.
    public var mainField: String {
        switch self {
        case .login: CredentialField.password
        case .token: CredentialField.token
        case .note: CredentialField.text
        case .file: CredentialField.content
        }
    }
}
