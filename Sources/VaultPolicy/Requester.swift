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
    /// A person sits in front of the program: it said that it has a terminal.
    public let hasTerminal: Bool

    /// Somebody who asks.
    public init(
        uid: UInt32,
        pid: Int32 = 0,
        program: Program,
        chain: [String] = [],
        hasTerminal: Bool = false
    ) {
        self.uid = uid
        self.pid = pid
        self.program = program
        self.chain = chain
        self.hasTerminal = hasTerminal
    }
}
