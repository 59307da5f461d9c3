/// The state of an agent, which does not reveal the contents of a locked vault.
public struct AgentStatus: Equatable, Sendable, Codable {
    /// Whether no key of the vault is in memory.
    public var isLocked: Bool
    /// The id of the vault, 32 hexadecimal digits; nil until the vault was opened once.
    public var vaultID: String?
    /// The vault's name, or the path of its file.
    public var vault: String
    /// The vault's backend, `file` or `secret-service`; nil until the vault was opened once.
    public var backend: String?
    /// The number of the agent's process.
    public var pid: Int32
    /// The name and version of the agent's program.
    public var program: String
    /// The version of the protocol.
    public var `protocol` = Hello.version
    /// Seconds until an unused vault is locked; nil while it is locked, or without such a limit.
    public var idleSeconds: Int?
    /// Seconds until the vault is locked even if it is used; nil while it is locked, or without such a limit.
    public var absoluteSeconds: Int?
    /// The events besides time that lock the vault: `sleep`, `screen`, `session`.
    public var hooks: [String] = []
    /// The rights that the process has given up, in words for people.
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
    /// The place of the agent's own questions, about ssh for instance; nil from an agent that does not say.
    public var questions: QuestionPlace?
    /// The display or the terminal device of the agent's own questions.
    public var questionsAt: String?
    /// Connections to the control socket.
    public var connections = 0
    /// Questions for programs on the bus that were not asked.
    public var refused = UnaskedRefusals()
    /// How many programs on the bus got values in a session without encryption, since the agent began.
    public var plainPrograms = 0
    /// Warnings for a person, one sentence each.
    public var warnings: [String] = []

    /// A status with only the required facts; its makers add the others.
    public init(isLocked: Bool, vault: String, pid: Int32, program: String) {
        self.isLocked = isLocked
        self.vault = vault
        self.pid = pid
        self.program = program
    }
}

/// How often an agent did not ask its person for a program on the bus, by reason, since the blocks were last cleared.
public struct UnaskedRefusals: Equatable, Sendable, Codable {
    /// The person had refused the program.
    public var afterNo = 0
    /// The person had closed the window for the passphrase that named the program.
    public var afterWindow = 0
    /// The limit of questions in a minute was reached.
    public var tooOften = 0
    /// The limit of calls that wait for an answer was reached.
    public var tooMany = 0

    /// Counts that are all zero.
    public init() {}

    /// The sum of all counts.
    public var sum: Int { afterNo + afterWindow + tooOften + tooMany }
}

/// The place where an agent itself asks its person, for clients without a terminal, such as ssh clients.
public enum QuestionPlace: String, Sendable, Codable {
    /// In a window on a display.
    case window
    /// At the terminal where the vault was unlocked, or where the agent was started.
    case terminal
    /// By the service manager, on the console of a machine to which nobody is logged in: for a passphrase only.
    case console
    /// Nowhere: a request that needs a question is refused.
    case nobody
}
