public import VaultPolicy

/// A client's request to the agent, sent after its hello in a request frame.
public enum AgentRequest: Equatable, Sendable, Codable {
    /// Asks for the agent's status; always allowed, and it does not delay the idle lock.
    case status
    /// Unlocks the vault; does nothing if it is unlocked.
    ///
    /// The vault locks after `seconds` in any case, or after the usual time if they are nil. With `slot`, the secret before the
    /// request is the PIN of this key slot. With `lastTries`, even the last PIN that a security key accepts may be used. A bus
    /// service names the program that needs the vault.
    case unlock(
        source: UnlockSource,
        seconds: Int? = nil,
        slot: UInt32? = nil,
        lastTries: Bool? = nil,
        for: Behalf? = nil
    )
    /// Wipes every key and closes the vault before the reply; a bus service names the program that asked.
    case lock(for: Behalf? = nil)
    /// Locks and ends the agent.
    case stop
    /// Moves the agent's own questions to the client's terminal, after the person there enters the vault's secret.
    ///
    /// The agent asks for the secret even if the vault is unlocked. A bytes frame before the request may carry it.
    case terminal
    /// Lists the blocked programs on the bus, or unblocks them; only the hsip command line may send it.
    case blocked(clears: Bool)
    /// Grants a lease to a process and its descendants; the lease ends with the connection.
    case lease(LeaseRequest)
    /// Lists the active leases.
    case leases
    /// Ends a lease.
    case endLease(number: UInt64)
    /// Lists the requests that wait for an answer in a window; only the hsip command line may send it.
    case requests
    /// Answers a request that waits in a window.
    ///
    /// The person must first prove on the same connection that they know the vault's secret: a nil answer asks for it. A bytes
    /// frame before the request may carry the secret.
    case answerRequest(number: UInt64, answer: RequestAnswer? = nil)
    /// Calls an operation of the vault; the frames before the request carry its arguments (data) and secrets (bytes).
    ///
    /// A bus service names the program for which it calls.
    case call(operation: String, for: Behalf? = nil)

    /// The program on the bus for which a bus service sends this request; nil for other clients.
    public var behalf: Behalf? {
        switch self {
        case .unlock(_, _, _, _, let behalf), .lock(let behalf), .call(_, let behalf): behalf
        case .status, .stop, .terminal, .blocked, .lease, .leases, .endLease, .requests, .answerRequest: nil
        }
    }
}

extension AgentRequest {
    private enum Field: String, CodingKey {
        case status, unlock, lock, stop, terminal, blocked, lease, leases, endLease, requests, answerRequest,
            call
        case source, seconds, slot, lastTries, `for`, clears, number, answer, operation
        case value = "_0"

        static let names: [Field] = [
            .status, .unlock, .lock, .stop, .terminal, .blocked, .lease, .leases, .endLease, .requests,
            .answerRequest, .call,
        ]
    }

    /// Encodes the request as a map from its case to its fields.
    public func encode(to encoder: any Encoder) throws {
        var message = MessageCase<Field>(encoder)
        switch self {
        case .status: _ = message.fields(.status)
        case .unlock(let source, let seconds, let slot, let lastTries, let program):
            var fields = message.fields(.unlock)
            try fields.encode(source, forKey: .source)
            try fields.encodeIfPresent(seconds, forKey: .seconds)
            try fields.encodeIfPresent(slot, forKey: .slot)
            try fields.encodeIfPresent(lastTries, forKey: .lastTries)
            try fields.encodeIfPresent(program, forKey: .for)
        case .lock(let program):
            var fields = message.fields(.lock)
            try fields.encodeIfPresent(program, forKey: .for)
        case .stop: _ = message.fields(.stop)
        case .terminal: _ = message.fields(.terminal)
        case .blocked(let clears):
            var fields = message.fields(.blocked)
            try fields.encode(clears, forKey: .clears)
        case .lease(let lease):
            var fields = message.fields(.lease)
            try fields.encode(lease, forKey: .value)
        case .leases: _ = message.fields(.leases)
        case .endLease(let number):
            var fields = message.fields(.endLease)
            try fields.encode(number, forKey: .number)
        case .requests: _ = message.fields(.requests)
        case .answerRequest(let number, let answer):
            var fields = message.fields(.answerRequest)
            try fields.encode(number, forKey: .number)
            try fields.encodeIfPresent(answer, forKey: .answer)
        case .call(let operation, let program):
            var fields = message.fields(.call)
            try fields.encode(operation, forKey: .operation)
            try fields.encodeIfPresent(program, forKey: .for)
        }
    }

    /// Decodes a request.
    ///
    /// - Throws: `malformed` for no case or several; the errors of its fields.
    public init(from decoder: any Decoder) throws {
        let (name, fields) = try MessageCase.read(Field.names, decoder)
        switch name {
        case .status: self = .status
        case .unlock:
            self = .unlock(
                source: try fields.decode(UnlockSource.self, forKey: .source),
                seconds: try fields.decodeIfPresent(Int.self, forKey: .seconds),
                slot: try fields.decodeIfPresent(UInt32.self, forKey: .slot),
                lastTries: try fields.decodeIfPresent(Bool.self, forKey: .lastTries),
                for: try fields.decodeIfPresent(Behalf.self, forKey: .for)
            )
        case .lock: self = .lock(for: try fields.decodeIfPresent(Behalf.self, forKey: .for))
        case .stop: self = .stop
        case .terminal: self = .terminal
        case .blocked: self = .blocked(clears: try fields.decode(Bool.self, forKey: .clears))
        case .lease: self = .lease(try fields.decode(LeaseRequest.self, forKey: .value))
        case .leases: self = .leases
        case .endLease: self = .endLease(number: try fields.decode(UInt64.self, forKey: .number))
        case .requests: self = .requests
        case .answerRequest:
            self = .answerRequest(
                number: try fields.decode(UInt64.self, forKey: .number),
                answer: try fields.decodeIfPresent(RequestAnswer.self, forKey: .answer)
            )
        case .call:
            self = .call(
                operation: try fields.decode(String.self, forKey: .operation),
                for: try fields.decodeIfPresent(Behalf.self, forKey: .for)
            )
        default: throw FrameError.malformed
        }
    }
}

/// The source of the secret that unlocks the vault.
public enum UnlockSource: String, Sendable, Codable {
    /// An unattended source; if it fails, the person, asked at the caller's terminal or by the agent.
    case ask
    /// The single bytes frame before the request.
    case given
    /// An unattended source: a key slot in an open keyring, or a credential of the service manager.
    case unattended
}

/// A person's request to lease keys and items to a command.
public struct LeaseRequest: Equatable, Sendable, Codable {
    /// The things that the command may use, by their names.
    public let things: [LeasedThing]
    /// The duration in seconds.
    public let seconds: UInt64
    /// The reason, in one line.
    public let reason: String
    /// The command or the unit, as text for people.
    public let command: String
    /// The main process of a unit, which gets the lease instead of the client.
    public let process: ProcessID?

    /// Makes a request for a lease.
    public init(
        things: [LeasedThing],
        seconds: UInt64,
        reason: String,
        command: String,
        process: ProcessID? = nil
    ) {
        self.things = things
        self.seconds = seconds
        self.reason = reason
        self.command = command
        self.process = process
    }
}
