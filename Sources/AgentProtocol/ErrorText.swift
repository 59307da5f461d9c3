internal import VaultKit

/// The JSON of an error frame: what everybody may show, and the vault's own error where it is one.
struct ErrorText: Codable {
    var error: Refusal
    var vault: VaultError?
}

extension AgentError {
    /// The JSON of an error frame.
    public func encoded() throws(FrameError) -> [UInt8] {
        switch self {
        case .vault(let error):
            let told = Refusal(error.exitCode, error.name, error.name)
            return try WireText.encode(ErrorText(error: told, vault: error))
        case .refused(let refusal): return try WireText.encode(ErrorText(error: refusal))
        case .noAgent, .foreignAgent, .lost, .paths:
            return try WireText.encode(ErrorText(error: Refusal(exitCode, name, name)))
        }
    }

    /// What an error frame says; the vault's own error whole, as it would be without the agent.
    public init(encoded text: [UInt8]) throws(FrameError) {
        let text = try WireText.decode(ErrorText.self, text)
        self = text.vault.map { .vault($0) } ?? .refused(text.error)
    }
}
