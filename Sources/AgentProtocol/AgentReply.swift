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

/// A program on the bus whose questions are blocked for a while, because the person refused earlier ones.
public struct BlockedProgram: Equatable, Sendable, Codable {
    /// The program as the policy knows it; empty for those that cannot be told.
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
    /// How often a secret was read.
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
