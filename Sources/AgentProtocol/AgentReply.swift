/// What the agent answered, in a reply frame.
public enum AgentReply: Equatable, Sendable, Codable {
    /// How it stands.
    case status(AgentStatus)
    /// Blocked programs on the bus, and how many of their questions were not asked.
    case blocked(programs: [BlockedProgram], refused: Int)
    /// It is done.
    case done
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
