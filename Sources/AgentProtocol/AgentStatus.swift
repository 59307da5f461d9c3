/// How an agent stands: nothing in it says what a locked vault holds.
public struct AgentStatus: Equatable, Sendable, Codable {
    /// No key of the vault is in memory.
    public var isLocked: Bool
    /// 32 hexadecimal digits; nil until the vault was opened once.
    public var vaultID: String?
    /// What the vault is called: its name, or the path of its file.
    public var vault: String
    /// `file` or `secret-service`; nil until the vault was opened once.
    public var backend: String?
    /// The agent's process.
    public var pid: Int32
    /// Name and version of the agent's program.
    public var program: String
    /// The version of the protocol.
    public var `protocol` = Hello.version
    /// Seconds until it locks because it is not used; nil while locked or without such a limit.
    public var idleSeconds: Int?
    /// Seconds until it locks whatever happens; nil while locked or without such a limit.
    public var absoluteSeconds: Int?
    /// What makes it lock besides time: `sleep`, `screen`, `session`.
    public var hooks: [String] = []
    /// What the process has given up, in words for people.
    public var hardening: [String] = []
    /// Bytes of memory that may be locked into RAM; nil for no limit.
    public var memoryLimit: Int?
    /// False when memory with keys could not be locked and may reach swap.
    public var isMemoryLocked = true
    /// The control socket.
    public var controlSocket: String?
    /// The socket of the ssh-agent protocol.
    public var sshSocket: String?
    /// How many keys ssh can use; nil while locked.
    public var sshKeys: Int?
    /// Where the agent itself asks its person, about ssh for instance; nil from an agent that does not say.
    public var questions: QuestionPlace?
    /// The display or the device of that place.
    public var questionsAt: String?
    /// Connections to the control socket.
    public var connections = 0
    /// Questions for programs on the bus that were not asked.
    public var refused = UnaskedRefusals()
    /// Programs on the bus that had values in a session without encryption, since the agent began.
    public var plainPrograms = 0
    /// What a person should know, one sentence each.
    public var warnings: [String] = []

    /// The least there is to say; the rest is filled in by those who know.
    public init(isLocked: Bool, vault: String, pid: Int32, program: String) {
        self.isLocked = isLocked
        self.vault = vault
        self.pid = pid
        self.program = program
    }
}

/// How often an agent did not ask its person for a program on the bus, by why; since that was last ended.
public struct UnaskedRefusals: Equatable, Sendable, Codable {
    /// The person had said no to the program.
    public var afterNo = 0
    /// The person had closed the window for the passphrase that named the program.
    public var afterWindow = 0
    /// There were as many questions in that minute as there may be.
    public var tooOften = 0
    /// As many calls waited for an answer as may.
    public var tooMany = 0

    /// None yet.
    public init() {}

    /// All of them.
    public var sum: Int { afterNo + afterWindow + tooOften + tooMany }
}

/// Where an agent asks its person by itself: for those who have no terminal of their own, as what comes over the ssh
/// socket.
public enum QuestionPlace: String, Sendable, Codable {
    /// In a window on a display.
    case window
    /// At the terminal where its vault was unlocked, or where it was started.
    case terminal
    /// By the service manager, on the console of a machine where no one is logged in: for a passphrase only.
    case console
    /// Nowhere: what needs a question is refused.
    case nobody
}
