/// What the agent answered; the JSON of a reply frame, `{"reply":"done"}`.
public enum AgentReply: Equatable, Sendable {
    /// The greeting of the agent.
    case hello(Hello)
    /// How it stands.
    case status(AgentStatus)
    /// It is done.
    case done
    /// What an operation answered: its result in the data frames before it, its secrets in the bytes frames.
    case answer
}

extension AgentReply: Codable {
    private enum Key: String, CodingKey {
        case reply, hello, status
    }

    private enum Name: String, Codable {
        case hello, status, done, answer
    }

    /// Reads a reply.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        self =
            switch try fields.decode(Name.self, forKey: .reply) {
            case .hello: .hello(try fields.decode(Hello.self, forKey: .hello))
            case .status: .status(try fields.decode(AgentStatus.self, forKey: .status))
            case .done: .done
            case .answer: .answer
            }
    }

    /// Writes a reply.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        switch self {
        case .hello(let hello):
            try fields.encode(Name.hello, forKey: .reply)
            try fields.encode(hello, forKey: .hello)
        case .status(let status):
            try fields.encode(Name.status, forKey: .reply)
            try fields.encode(status, forKey: .status)
        case .done: try fields.encode(Name.done, forKey: .reply)
        case .answer: try fields.encode(Name.answer, forKey: .reply)
        }
    }
}
