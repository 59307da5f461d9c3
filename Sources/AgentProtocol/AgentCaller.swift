internal import Text
public import VaultCrypto

/// Shows the agent's questions to the person at this program's terminal.
public protocol AgentCaller: Sendable {
    /// Asks, and waits for the person; called on the thread that waits for the agent.
    func answer(_ question: Question) -> Answer

    /// Hears what the agent tells meanwhile; called on the same thread.
    func hear(_ event: AgentEvent)
}

extension AgentCaller {
    /// Passes it over.
    public func hear(_ event: AgentEvent) {}
}

/// What a person said to a question.
public enum Answer: Sendable {
    /// The secret that was asked for.
    case passphrase(Secret)
    /// Yes, and for how many seconds that holds; nil for this one time.
    case yes(remember: Int?)
    /// No, or the question was left.
    case no
    /// No one could be asked: no terminal, or questions are not allowed.
    case nobody
    /// The person did not answer in time.
    case late
}

/// The JSON of an answer frame; a secret is in the bytes frame before it.
public struct AnswerText: Equatable, Sendable {
    /// What was said.
    public enum Name: String, Sendable {
        case passphrase, yes, no, nobody, late
    }

    /// What was said.
    public var answer: Name
    /// For how many seconds a yes holds.
    public var remember: Int?

    /// An answer.
    public init(answer: Name, remember: Int? = nil) {
        self.answer = answer
        self.remember = remember
    }

    /// The JSON of an answer frame.
    ///
    /// - Throws: `tooLong`.
    public func encoded() throws(FrameError) -> [UInt8] {
        var json: JSONValue = ["answer": .text(answer.rawValue)]
        json["remember"] = remember.map { .number("\($0)") }
        return try WireText.bytes(of: json)
    }

    /// The answer of a frame; fields that are not known are passed over.
    ///
    /// - Throws: `malformed` for anything that is no answer.
    public init(encoded text: [UInt8]) throws(FrameError) {
        let json = try WireText.document(text)
        guard let answer = try json.word("answer").flatMap({ Name(rawValue: $0) }) else { throw .malformed }
        self.init(answer: answer, remember: try json.number("remember"))
    }
}

extension Answer {
    /// Its JSON.
    public var text: AnswerText {
        switch self {
        case .passphrase: AnswerText(answer: .passphrase)
        case .yes(let seconds): AnswerText(answer: .yes, remember: seconds)
        case .no: AnswerText(answer: .no)
        case .nobody: AnswerText(answer: .nobody)
        case .late: AnswerText(answer: .late)
        }
    }

    /// The answer of a JSON text and the secrets before it.
    ///
    /// - Throws: `malformed` for a passphrase without exactly one secret.
    public init(_ text: AnswerText, _ secrets: [Secret]) throws(FrameError) {
        switch (text.answer, secrets.first) {
        case (.passphrase, let secret?) where secrets.count == 1: self = .passphrase(secret)
        case (.passphrase, _): throw .malformed
        case (.yes, _): self = .yes(remember: text.remember)
        case (.no, _): self = .no
        case (.nobody, _): self = .nobody
        case (.late, _): self = .late
        }
    }
}
