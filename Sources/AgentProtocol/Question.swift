/// A question that travels to the caller, whose terminal is where the person looks.
///
/// Its texts are cleaned and cut by the agent; the caller shows them as they are.
public struct Question: Equatable, Sendable, Codable {
    /// What an answer may be.
    public enum Kind: String, Sendable, Codable {
        /// A secret, as the one bytes frame before the answer.
        case passphrase
        /// The PIN of a key slot, answered like a passphrase; asked of clients with the feature `pin` alone.
        case pin
        /// A touch of a security key, shown until its request is answered or the person wants the passphrase; asked of
        /// clients with the feature `touch` alone.
        case touch
        /// Yes or no.
        case confirm
    }

    /// What an answer may be.
    public var kind: Kind
    /// The question in one line, without a colon or question mark at its end where it is a secret.
    public var title: String
    /// What the person should know first, a line each: who asks, with which key, where to.
    public var lines: [String]
    /// 1 for the first time; above that the secret before was wrong.
    public var attempt: Int
    /// Seconds for which a yes may be remembered, if the person wants; nil where it never is.
    public var remember: Int?

    /// A question.
    public init(_ kind: Kind, title: String, lines: [String] = [], attempt: Int = 1, remember: Int? = nil) {
        self.kind = kind
        self.title = title
        self.lines = lines
        self.attempt = attempt
        self.remember = remember
    }
}

/// Where a person wants to be asked; the word `prompt` of config.json.
public enum PromptChoice: String, CaseIterable, Sendable {
    /// At the terminal of the program that asks; where it has none, by the agent: in a window, or without a display
    /// at the terminal where the vault was unlocked.
    case auto
    /// At terminals only: the agent shows no windows.
    case terminal
    /// By the agent only, also for programs at a terminal.
    case pinentry
}
