internal import VaultKit

/// The JSON of an error frame: a refusal, and the vault's own error where it is one.
struct ErrorText: Codable {
    var error: Refusal
}

extension AgentError {
    /// The JSON of an error frame.
    public func encoded() throws(FrameError) -> [UInt8] {
        switch self {
        case .vault(let error):
            try WireText.encode(ErrorText(error: Refusal(error.exitCode, error.name, error.name)))
        case .refused(let refusal): try WireText.encode(ErrorText(error: refusal))
        case .noAgent, .lost, .paths:
            try WireText.encode(ErrorText(error: Refusal(exitCode, name, name)))
        }
    }

    /// What an error frame says.
    public init(encoded text: [UInt8]) throws(FrameError) {
        self = .refused(try WireText.decode(ErrorText.self, text).error)
    }
}
