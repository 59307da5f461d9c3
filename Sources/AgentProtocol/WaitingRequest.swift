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
