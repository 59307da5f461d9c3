/// What a client asks of the agent; the JSON of a request frame, `{"request":"status"}`.
public enum AgentRequest: Equatable, Sendable {
    /// Greets; the first request of a connection and no other.
    case hello(Hello)
    /// How the agent stands; always allowed, and no use that puts off the lock.
    case status
    /// Opens the vault; does nothing when it is open.
    case unlock(Unlocking)
    /// Wipes every key and closes the vault, before it is answered.
    case lock
    /// Locks and ends the agent.
    case stop
    /// Asks the client's person for the vault's secret, also while it is open, and moves the agent's own questions to
    /// where the client is; the secret may have come along, as the one bytes frame before.
    case terminal
    /// An operation of the vault; its arguments are the data frames before it, its secrets the bytes frames.
    case call(operation: String)
}

extension AgentRequest: Codable {
    private enum Key: String, CodingKey {
        case request, hello, source, seconds, operation
    }

    private enum Name: String, Codable {
        case hello, status, unlock, lock, stop, terminal, call
    }

    /// Reads a request.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        self =
            switch try fields.decode(Name.self, forKey: .request) {
            case .hello: .hello(try fields.decode(Hello.self, forKey: .hello))
            case .status: .status
            case .unlock:
                .unlock(
                    Unlocking(
                        try fields.decode(Unlocking.Source.self, forKey: .source),
                        seconds: try fields.decodeIfPresent(Int.self, forKey: .seconds)
                    )
                )
            case .lock: .lock
            case .stop: .stop
            case .terminal: .terminal
            case .call: .call(operation: try fields.decode(String.self, forKey: .operation))
            }
    }

    /// Writes a request.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(name, forKey: .request)
        switch self {
        case .hello(let hello): try fields.encode(hello, forKey: .hello)
        case .unlock(let unlocking):
            try fields.encode(unlocking.source, forKey: .source)
            try fields.encodeIfPresent(unlocking.seconds, forKey: .seconds)
        case .call(let operation): try fields.encode(operation, forKey: .operation)
        case .status, .lock, .stop, .terminal: break
        }
    }

    private var name: Name {
        switch self {
        case .hello: .hello
        case .status: .status
        case .unlock: .unlock
        case .lock: .lock
        case .stop: .stop
        case .terminal: .terminal
        case .call: .call
        }
    }
}
