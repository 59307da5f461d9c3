/// A question that the agent sends to the caller, to be shown at the caller's terminal.
///
/// The agent has cleaned and shortened the texts; the caller shows them unchanged.
public struct Question: Equatable, Sendable, Codable {
    /// What an answer may be.
    public enum Kind: String, Sendable, Codable {
        /// The answer is a secret, in the single bytes frame before it.
        case passphrase
        /// The answer is the PIN of a key slot, sent like a passphrase; only clients with the feature `pin` get it.
        case pin
        /// The answer is a touch of a security key; only clients with the feature `touch` get this question.
        ///
        /// The question is shown until the agent replies to the request, or the person chooses the passphrase.
        case touch
        /// The answer is an approval or a refusal.
        case confirm
    }

    /// What an answer may be.
    public var kind: Kind
    /// The question in one line; if it asks for a secret, without a colon or question mark at its end.
    public var title: String
    /// The facts that the person should read first, one per line: the program, the key, the destination.
    public var lines: [String]
    /// The number of the attempt; above 1 if the previous secret was wrong.
    public var attempt: Int
    /// The seconds for which the person may let an approval be remembered; nil if it cannot be remembered.
    public var remember: Int?

    /// Makes a question.
    public init(_ kind: Kind, title: String, lines: [String] = [], attempt: Int = 1, remember: Int? = nil) {
        self.kind = kind
        self.title = title
        self.lines = lines
        self.attempt = attempt
        self.remember = remember
    }
}

/// The person's choice of the place for questions: the field `prompt` of config.json.
public enum PromptChoice: String, CaseIterable, Sendable {
    /// At the terminal of the program that asks, or else by the agent.
    ///
    /// The agent asks in a window, or without a display at the terminal where the vault was unlocked.
    case auto
    /// Only at terminals: the agent shows no windows.
    case terminal
    /// Only by the agent, also for programs at a terminal.
    case pinentry
}
