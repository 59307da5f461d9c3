public import VaultPolicy

/// What a client asks of the agent after its hello, in a request frame.
public enum AgentRequest: Equatable, Sendable, Codable {
    /// How the agent stands; always allowed, and no use that puts off the lock.
    case status
    /// Opens the vault; does nothing when it is open.
    ///
    /// It locks after `seconds` whatever happens, without them after the usual time. With `slot` the secret that came along
    /// is the PIN of this key slot; with `lastTries` even the last PIN that a security key accepts. A front says which
    /// program on the bus needs it.
    case unlock(
        source: UnlockSource,
        seconds: Int? = nil,
        slot: UInt32? = nil,
        lastTries: Bool? = nil,
        for: Behalf? = nil
    )
    /// Wipes every key and closes the vault, before it is answered; a front says for which program on the bus.
    case lock(for: Behalf? = nil)
    /// Locks and ends the agent.
    case stop
    /// Asks the client's person for the vault's secret, also while it is open, and moves the agent's own questions to
    /// where the client is; the secret may have come along, as the one bytes frame before.
    case terminal
    /// Asks which programs on the bus are blocked, or ends that; for our own command line alone.
    case blocked(clears: Bool)
    /// Gives a lease to a process and all that it starts; it ends with the connection.
    case lease(LeaseRequest)
    /// The leases that hold at present.
    case leases
    /// Ends a lease.
    case endLease(number: UInt64)
    /// The requests that wait for an answer in a window; for our own command line alone.
    case requests
    /// Answers such a request. Without an answer it asks for the vault's secret, which has to be shown on the same connection
    /// first; the secret may have come along, as the one bytes frame before.
    case answerRequest(number: UInt64, answer: RequestAnswer? = nil)
    /// An operation of the vault; its arguments are the data frames before it, its secrets the bytes frames.
    ///
    /// A front says for which program on the bus it calls.
    case call(operation: String, for: Behalf? = nil)

    /// The program on the bus for which a front asks.
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

    /// Writes it as a map of its case.
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

    /// Reads it.
    ///
    /// - Throws: `malformed` for no case or several; what its fields throw.
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

/// Where the secret that opens the vault comes from.
public enum UnlockSource: String, Sendable, Codable {
    /// Without a person; else from the person, asked at the caller's terminal or by the agent.
    case ask
    /// It came along, as the one bytes frame before the request.
    case given
    /// Without a person: a key slot in an open keyring, a credential of the service manager.
    case unattended
}

/// What a person wants leased to a command.
public struct LeaseRequest: Equatable, Sendable, Codable {
    /// What its command may use, by its names.
    public let things: [LeasedThing]
    /// For how many seconds.
    public let seconds: UInt64
    /// Why, in one line.
    public let reason: String
    /// The command or the unit, for people.
    public let command: String
    /// The main process of a unit, which gets the lease in place of the client.
    public let process: ProcessID?

    /// A request.
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
