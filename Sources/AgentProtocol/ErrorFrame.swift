internal import Presentation
internal import VaultKit

/// The JSON of an error frame: what every client may show, and the vault's own error where it is one.
struct ErrorFrame: Codable {
    var error: Refusal
    var vault: VaultError?
}

extension AgentError {
    /// The JSON of an error frame.
    public func encoded() throws(FrameError) -> [UInt8] {
        if case .refused(let refusal) = self { return try WireText.encode(ErrorFrame(error: refusal)) }
        let text = explanation
        var frame = ErrorFrame(error: Refusal(text.exitCode, text.name, text.name))
        if case .vault(let error) = self { frame.vault = error }
        return try WireText.encode(frame)
    }

    /// What an error frame says; the vault's own error whole, as it would be without the agent.
    public init(encoded text: [UInt8]) throws(FrameError) {
        let text = try WireText.decode(ErrorFrame.self, text)
        self = text.vault.map { .vault($0) } ?? .refused(text.error)
    }
}
