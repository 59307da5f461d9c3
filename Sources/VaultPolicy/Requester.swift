/// The requester of an act: plain values from the kernel, not from the program itself.
public struct Requester: Hashable, Sendable {
    /// The user whose process asks.
    public let uid: UInt32
    /// The process number; 0 if unknown.
    ///
    /// It is for display and the log only, since process numbers are reused.
    public let pid: Int32
    /// The program of that process.
    public let program: Program
    /// The names of the program and of those that started it, the nearest first.
    ///
    /// They are for display only.
    public let chain: [String]
    /// The surroundings of the process: the paths of its own program and of those that started it, and `unit:NAME`
    /// for each systemd unit around it.
    ///
    /// A process can leave all of them, so they can make a decision stricter but never allow anything.
    public let inside: Set<String>
    /// Whether a person uses the program: it stated that it has a terminal.
    public let hasTerminal: Bool
    /// The facts about a program that asks over the message bus; nil for a program on an agent socket.
    public let bus: BusProgram?
    /// The script of an interpreter, or of the interpreter that started this tool; nil for other programs.
    public var script: ScriptClaim?
    /// The lease of the command that is or that started the requester; nil for none.
    public var lease: Lease?

    /// The program together with its script, as an item stores it among its readers; nil if others than root can
    /// change the script.
    public var scriptIdentity: ProgramIdentity? {
        bus?.identity.flatMap { script?.identity(with: $0) }
    }

    /// Whether the requester is `hsip` in front of a person, who decides what it does.
    ///
    /// Inside a lease it counts as an unattended program.
    ///
    /// Any program of the user can start `hsip` without a terminal, so it then counts like that program.
    public var isPerson: Bool {
        guard case .own = program, bus == nil, lease == nil else { return false }
        return hasTerminal
    }

    /// Creates a requester on a socket of the agent.
    public init(
        uid: UInt32,
        pid: Int32 = 0,
        program: Program,
        chain: [String] = [],
        inside: Set<String> = [],
        hasTerminal: Bool = false
    ) {
        self.init(
            uid: uid,
            pid: pid,
            program: program,
            chain: chain,
            inside: inside,
            hasTerminal: hasTerminal,
            bus: nil
        )
    }

    init(
        uid: UInt32,
        pid: Int32,
        program: Program,
        chain: [String],
        inside: Set<String>,
        hasTerminal: Bool,
        bus: BusProgram?
    ) {
        self.uid = uid
        self.pid = pid
        self.program = program
        self.chain = chain
        self.inside = inside
        self.hasTerminal = hasTerminal
        self.bus = bus
    }
}

/// The requesting program, as far as the kernel identifies it.
public enum Program: Hashable, Sendable, Codable {
    /// hsip's own command line program, installed beside the agent; with the path of its file.
    case own(path: String)
    /// Any other program; with the path of its file, or its identity on the bus.
    case other(path: String)
    /// The program file could not be read, or the process may have been replaced.
    ///
    /// No rule that allows matches it.
    case unknown

    /// The path of the program's file, or its identity on the bus; nil if unknown.
    public var path: String? {
        switch self {
        case .own(let path), .other(let path): path
        case .unknown: nil
        }
    }
}
