internal import Text

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
    /// The same, for a program on the bus: a front says which one.
    case lockFor(Behalf)
    /// Locks and ends the agent.
    case stop
    /// Asks the client's person for the vault's secret, also while it is open, and moves the agent's own questions to
    /// where the client is; the secret may have come along, as the one bytes frame before.
    case terminal
    /// Asks which programs on the bus are blocked, or ends that; for our own command line alone.
    case blocked(clears: Bool)
    /// An operation of the vault; its arguments are the data frames before it, its secrets the bytes frames.
    ///
    /// A front says for which program on the bus it calls.
    case call(operation: String, for: Behalf? = nil)
}

extension AgentRequest {
    private enum Name: String {
        case hello, status, unlock, lock, stop, terminal, call
        case blocked = "quiet"
    }

    /// The JSON of a request frame.
    ///
    /// - Throws: `tooLong`.
    public func encoded() throws(FrameError) -> [UInt8] {
        var json = JSONValue.object([])
        json["request"] = .text(name.rawValue)
        switch self {
        case .hello(let hello): json["hello"] = hello.json
        case .unlock(let unlocking):
            json["source"] = .text(unlocking.source.rawValue)
            json["seconds"] = unlocking.seconds.map { .number("\($0)") }
            json["for"] = unlocking.behalf?.json
        case .call(let operation, let behalf):
            json["operation"] = .text(operation)
            json["for"] = behalf?.json
        case .blocked(let clears): json["clears"] = clears ? .bool(true) : nil
        case .lockFor(let behalf): json["for"] = behalf.json
        case .status, .lock, .stop, .terminal: break
        }
        return try WireText.bytes(of: json)
    }

    /// The request of a frame; fields that are not known are passed over.
    ///
    /// - Throws: `malformed` for anything that is no request.
    public init(encoded text: [UInt8]) throws(FrameError) {
        let json = try WireText.document(text)
        guard let name = try json.word("request").flatMap({ Name(rawValue: $0) }) else { throw .malformed }
        switch name {
        case .hello:
            guard let hello = json["hello"] else { throw .malformed }
            self = .hello(try Hello(hello))
        case .status: self = .status
        case .unlock:
            guard let source = try json.word("source").flatMap({ Unlocking.Source(rawValue: $0) }) else {
                throw .malformed
            }
            let seconds = try json.number("seconds")
            self = .unlock(Unlocking(source, seconds: seconds, for: try Self.behalf(json)))
        case .lock:
            self = .lock
            if let behalf = try Self.behalf(json) { self = .lockFor(behalf) }
        case .stop: self = .stop
        case .terminal: self = .terminal
        case .blocked: self = .blocked(clears: try json.truth("clears") ?? false)
        case .call:
            guard let operation = try json.word("operation") else { throw .malformed }
            self = .call(operation: operation, for: try Self.behalf(json))
        }
    }

    /// The program on the bus for which a front asks.
    public var behalf: Behalf? {
        switch self {
        case .unlock(let unlocking): unlocking.behalf
        case .call(_, let behalf): behalf
        case .lockFor(let behalf): behalf
        case .hello, .status, .lock, .stop, .terminal, .blocked: nil
        }
    }

    private static func behalf(_ json: JSONValue) throws(FrameError) -> Behalf? {
        switch json["for"] {
        case nil, .null?: nil
        case let value?: try Behalf(value)
        }
    }

    private var name: Name {
        switch self {
        case .hello: .hello
        case .status: .status
        case .unlock: .unlock
        case .lock, .lockFor: .lock
        case .stop: .stop
        case .terminal: .terminal
        case .blocked: .blocked
        case .call: .call
        }
    }
}

/// How the vault is to be opened, and for how long.
public struct Unlocking: Equatable, Sendable {
    /// Where the secret comes from.
    public enum Source: String, Sendable {
        /// Without a person; else from the person, asked at the caller's terminal or by the agent.
        case ask
        /// It came along, as the one bytes frame before the request.
        case given
        /// Without a person: a key slot in an open keyring, a credential of the service manager.
        case unattended
    }

    /// Where the secret comes from.
    public var source: Source
    /// Seconds after which the vault locks whatever happens; nil for the usual time.
    public var seconds: Int?
    /// From a front: the program on the bus that needs the vault.
    public var behalf: Behalf?

    /// A way to open the vault.
    public init(_ source: Source, seconds: Int? = nil, for behalf: Behalf? = nil) {
        self.source = source
        self.seconds = seconds
        self.behalf = behalf
    }
}
