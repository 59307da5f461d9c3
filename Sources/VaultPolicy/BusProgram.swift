/// A program that asks over the message bus, as far as the agent could tell which one it is.
///
/// It says less than a program on a socket does: a process may connect, and become another program before the bus is asked
/// which one it is.
public struct BusProgram: Hashable, Sendable {
    /// Which program it is; nil for one that is not known.
    public let identity: ProgramIdentity?
    /// When its process began, in ticks since the start of the machine: with its number it names one process.
    public let start: UInt64
    /// The paths of the programs that started it, itself among them.
    ///
    /// A process can leave its chain: what is found here may only make a verdict stricter.
    public let chain: [String]
    /// The unit of the user's service manager that it runs in; nil for none.
    ///
    /// The same holds for it.
    public let unit: String?

    /// What is known of a program.
    public init(
        identity: ProgramIdentity?,
        start: UInt64 = 0,
        chain: [String] = [],
        unit: String? = nil
    ) {
        self.identity = identity
        self.start = start
        self.chain = chain
        self.unit = unit
    }
}

extension Requester {
    /// A program that asks over the bus: it is never hsip itself, and it has no terminal.
    public init(uid: UInt32, pid: Int32, bus: BusProgram, chain: [String] = []) {
        self.init(
            uid: uid,
            pid: pid,
            program: bus.identity.map { .other(path: $0.text) } ?? .unknown,
            chain: bus.identity == nil ? [] : chain,
            inside: Set(bus.chain + (bus.unit.map { [Rule.unitMark + $0] } ?? [])),
            hasTerminal: false,
            bus: bus
        )
    }
}
