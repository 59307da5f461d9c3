internal import Presentation
internal import VaultKit

/// What an error frame says: what every client may show, and the vault's own error where it is one.
extension AgentError: Codable {
    private enum Field: String, CodingKey {
        case error, cause
    }

    /// Writes its name, and the vault's own error whole.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Field.self)
        if case .refused(let refusal) = self { return try fields.encode(refusal, forKey: .error) }
        let text = explanation
        try fields.encode(Refusal(text.exitCode, text.name, text.name), forKey: .error)
        if case .vault(let error) = self { try fields.encode(error, forKey: .cause) }
    }

    /// Reads the vault's own error, as it would be without the agent, else a refusal.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        let refusal = try fields.decode(Refusal.self, forKey: .error)
        // An error of the vault that only another version has is shown by its name.
        self = (try? fields.decode(VaultError.self, forKey: .cause)).map { .vault($0) } ?? .refused(refusal)
    }
}
