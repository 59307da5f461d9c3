internal import Text

/// A question that travels to the caller, whose terminal is where the person looks.
///
/// Its texts are cleaned and cut by the agent; the caller shows them as they are.
public struct Question: Equatable, Sendable {
    /// What an answer may be.
    public enum Kind: String, Sendable {
        /// A secret, as the one bytes frame before the answer.
        case passphrase
        /// Yes or no.
        case confirm
    }

    /// What an answer may be.
    public var kind: Kind
    /// The question in one line, without a colon or question mark at its end where it is a passphrase.
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

extension Question {
    /// The JSON of a question frame.
    ///
    /// - Throws: `tooLong`.
    public func encoded() throws(FrameError) -> [UInt8] {
        var json: JSONValue = ["kind": .text(kind.rawValue), "title": .text(title)]
        json["lines"] = .list(lines.map { .text($0) })
        json["attempt"] = .number("\(attempt)")
        json["remember"] = remember.map { .number("\($0)") }
        return try WireText.bytes(of: json)
    }

    /// The question of a frame; fields that are not known are passed over.
    ///
    /// - Throws: `malformed` for anything that is no question.
    public init(encoded text: [UInt8]) throws(FrameError) {
        let json = try WireText.document(text)
        guard let kind = try json.word("kind").flatMap({ Kind(rawValue: $0) }),
            let title = try json.word("title"), let attempt = try json.number("attempt"),
            json["lines"] != nil
        else { throw .malformed }
        self.init(
            kind,
            title: title,
            lines: try json.words("lines"),
            attempt: attempt,
            remember: try json.number("remember")
        )
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
