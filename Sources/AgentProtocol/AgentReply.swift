/// The agent's reply to a request, in a reply frame.
public enum AgentReply: Equatable, Sendable, Codable {
    /// The agent's status.
    case status(AgentStatus)
    /// The blocked programs on the bus, and how many of their questions were not asked.
    case blocked(programs: [BlockedProgram], refused: Int)
    /// The request was carried out, and has no result.
    case done
    /// The number of a new lease.
    case lease(number: UInt64)
    /// The active leases.
    case leases([LeaseFacts])
    /// The requests that wait for an answer.
    case requests([WaitingRequest])
    /// The response of an operation: the frames before it carry its result (data) and its secrets (bytes).
    case answer
}

extension AgentReply {
    private enum Field: String, CodingKey {
        case status, blocked, done, lease, leases, requests, answer
        case programs, refused, number
        case value = "_0"

        static let names: [Field] = [
            .status, .blocked, .done, .lease, .leases, .requests, .answer,
        ]
    }

    /// Encodes the reply as a map from its case to its fields.
    public func encode(to encoder: any Encoder) throws {
        var message = MessageCase<Field>(encoder)
        switch self {
        case .status(let status):
            var fields = message.fields(.status)
            try fields.encode(status, forKey: .value)
        case .blocked(let programs, let refused):
            var fields = message.fields(.blocked)
            try fields.encode(programs, forKey: .programs)
            try fields.encode(refused, forKey: .refused)
        case .done: _ = message.fields(.done)
        case .lease(let number):
            var fields = message.fields(.lease)
            try fields.encode(number, forKey: .number)
        case .leases(let leases):
            var fields = message.fields(.leases)
            try fields.encode(leases, forKey: .value)
        case .requests(let requests):
            var fields = message.fields(.requests)
            try fields.encode(requests, forKey: .value)
        case .answer: _ = message.fields(.answer)
        }
    }

    /// Decodes a reply.
    ///
    /// - Throws: `malformed` for no case or several; the errors of its fields.
    public init(from decoder: any Decoder) throws {
        let (name, fields) = try MessageCase.read(Field.names, decoder)
        switch name {
        case .status: self = .status(try fields.decode(AgentStatus.self, forKey: .value))
        case .blocked:
            self = .blocked(
                programs: try fields.decode([BlockedProgram].self, forKey: .programs),
                refused: try fields.decode(Int.self, forKey: .refused)
            )
        case .done: self = .done
        case .lease: self = .lease(number: try fields.decode(UInt64.self, forKey: .number))
        case .leases: self = .leases(try fields.decode([LeaseFacts].self, forKey: .value))
        case .requests: self = .requests(try fields.decode([WaitingRequest].self, forKey: .value))
        case .answer: self = .answer
        default: throw FrameError.malformed
        }
    }
}

/// A program on the bus whose questions are blocked for a while, because the person refused earlier ones.
public struct BlockedProgram: Equatable, Sendable, Codable {
    /// The program's name in the policy; empty if the program cannot be identified.
    public let program: String
    /// The number of items for which questions are blocked; nil for all items.
    public let items: Int?
    /// The seconds until the last of these blocks ends.
    public let seconds: Int

    /// Makes the description of a blocked program.
    public init(program: String, items: Int?, seconds: Int) {
        self.program = program
        self.items = items
        self.seconds = seconds
    }
}

/// An active lease.
public struct LeaseFacts: Equatable, Sendable, Codable {
    /// The number of the lease.
    public let number: UInt64
    /// The request for the lease, with the names as the vault spells them.
    public let request: LeaseRequest
    /// The process under which the command runs.
    public let pid: Int32
    /// The seconds until the lease ends.
    public let seconds: UInt64
    /// How often the lease was used.
    public let uses: Int

    /// Makes the description of a lease.
    public init(number: UInt64, request: LeaseRequest, pid: Int32, seconds: UInt64, uses: Int) {
        self.number = number
        self.request = request
        self.pid = pid
        self.seconds = seconds
        self.uses = uses
    }
}

/// A request of a program that waits for a person's answer in a window of the agent.
public struct WaitingRequest: Equatable, Sendable, Codable {
    /// The number, which is unique among the requests of this agent.
    public let number: UInt64
    /// The seconds for which the request waits.
    public let seconds: UInt64
    /// The question in one line, cleaned and shortened by the agent, like `lines`.
    public let title: String
    /// The facts that the person should read before the decision, one per line.
    public let lines: [String]
    /// The approval that lasts longer than once; nil if the question does not offer it.
    public let longer: LongerAnswer?

    /// Makes the description of a waiting request.
    public init(number: UInt64, seconds: UInt64, title: String, lines: [String], longer: LongerAnswer?) {
        self.number = number
        self.seconds = seconds
        self.title = title
        self.lines = lines
        self.longer = longer
    }
}

/// An approval that lasts longer than once.
public struct LongerAnswer: Equatable, Sendable, Codable {
    /// The word to type for this approval.
    public let word: String
    /// The meaning of the approval, as shown after `Type always `.
    public let meaning: String

    /// Makes a longer approval.
    public init(word: String, meaning: String) { (self.word, self.meaning) = (word, meaning) }
}

/// A person's answer to a request that waits.
public enum RequestAnswer: String, Sendable, Codable {
    /// The person refuses.
    case deny
    /// The person approves this request only.
    case once
    /// The person approves for the time that the question offers.
    case longer
}
