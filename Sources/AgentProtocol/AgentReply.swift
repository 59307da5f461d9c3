/// What the agent answered, in a reply frame.
public enum AgentReply: Equatable, Sendable, Codable {
    /// How it stands.
    case status(AgentStatus)
    /// Blocked programs on the bus, and how many of their questions were not asked.
    case blocked(programs: [BlockedProgram], refused: Int)
    /// It is done.
    case done
    /// The number of a new lease.
    case lease(number: UInt64)
    /// The leases that hold.
    case leases([LeaseFacts])
    /// The requests that wait for an answer.
    case requests([WaitingRequest])
    /// What an operation answered: its result in the data frames before it, its secrets in the bytes frames.
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

    /// Writes it as a map of its case.
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

    /// Reads it.
    ///
    /// - Throws: `malformed` for no case or several; what its fields throw.
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
    /// The program as the policy knows it; empty if it cannot be identified.
    public let program: String
    /// About how many items it is not asked; nil for all of them.
    public let items: Int?
    /// Seconds until the last of these can be asked about again.
    public let seconds: Int

    /// A blocked program.
    public init(program: String, items: Int?, seconds: Int) {
        self.program = program
        self.items = items
        self.seconds = seconds
    }
}

/// A lease that holds.
public struct LeaseFacts: Equatable, Sendable, Codable {
    /// Its number.
    public let number: UInt64
    /// What was asked for; the names as the vault spells them.
    public let request: LeaseRequest
    /// The process under which the command runs.
    public let pid: Int32
    /// Seconds until it ends.
    public let seconds: UInt64
    /// How often something of it was used.
    public let uses: Int

    /// The facts of a lease.
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
    /// Its number, which no other request of this agent has.
    public let number: UInt64
    /// For how many seconds it waits.
    public let seconds: UInt64
    /// The question in one line, cleaned and cut by the agent, as the lines are.
    public let title: String
    /// What the person should know first, a line each.
    public let lines: [String]
    /// The yes that holds longer; nil if the question offers none.
    public let longer: LongerAnswer?

    /// A request that waits.
    public init(number: UInt64, seconds: UInt64, title: String, lines: [String], longer: LongerAnswer?) {
        self.number = number
        self.seconds = seconds
        self.title = title
        self.lines = lines
        self.longer = longer
    }
}

/// A yes that holds longer than once.
public struct LongerAnswer: Equatable, Sendable, Codable {
    /// The word that is typed for it.
    public let word: String
    /// What it means, after `Type always `.
    public let meaning: String

    /// A longer yes.
    public init(word: String, meaning: String) { (self.word, self.meaning) = (word, meaning) }
}

/// A person's answer to a request that waits.
public enum RequestAnswer: String, Sendable, Codable {
    /// No.
    case deny
    /// Yes, this one time.
    case once
    /// Yes, for as long as the question offers.
    case longer
}
