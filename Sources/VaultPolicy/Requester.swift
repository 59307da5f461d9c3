/// Who asks for something: plain values that the kernel vouches for, not the program itself.
public struct Requester: Hashable, Sendable {
    /// The user whose process asks.
    public let uid: UInt32
    /// The process; 0 where it is not known.
    ///
    /// For display and the log only: numbers of processes are used again.
    public let pid: Int32
    /// The program.
    public let program: Program
    /// Names of the program and of those that started it, the nearest first.
    ///
    /// For display only.
    public let chain: [String]
    /// What it runs inside: the paths of its own program and of those that started it, and `unit:NAME` for each unit
    /// of systemd around it.
    ///
    /// A process can leave all of them, so they make a verdict stricter and never allow anything.
    public let inside: Set<String>
    /// A person sits in front of the program: it said that it has a terminal.
    public let hasTerminal: Bool
    /// What is known of a program that asks over the message bus; nil for one on a socket of the agent.
    public let bus: BusProgram?
    /// The script of an interpreter, or of the interpreter that started this tool; nil for any other program.
    public var script: ScriptClaim?
    /// The lease of the command that it is, or that started it; nil for none.
    public var lease: Lease?

    /// The program with the script of the system that it says it runs, as an item keeps it among its readers.
    public var scriptIdentity: ProgramIdentity? {
        bus?.identity.flatMap { script?.identity(with: $0) }
    }

    /// It is `hsip` in front of a person, who decides what it does.
    ///
    /// Inside a lease it counts as a program that runs alone.
    ///
    /// `hsip` without a terminal can be started by any program of the user: it counts as that program would.
    public var isPerson: Bool {
        guard case .own = program, bus == nil, lease == nil else { return false }
        return hasTerminal
    }

    /// Who asks over a socket of the agent.
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

/// Which program asks, as far as the kernel says.
public enum Program: Hashable, Sendable, Codable {
    /// Our own command line, installed beside the agent; the path of its file.
    case own(path: String)
    /// Any other program; the path of its file, of one on the bus its identity.
    case other(path: String)
    /// Its file could not be read, or its process may have been replaced: no rule that allows covers it.
    case unknown

    /// The path of the program's file, or its identity on the bus; nil where it is unknown.
    public var path: String? {
        switch self {
        case .own(let path), .other(let path): path
        case .unknown: nil
        }
    }
}
