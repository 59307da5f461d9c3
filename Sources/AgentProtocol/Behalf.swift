/// The program on the message bus for which a bus service sends a request, as the service saw it.
///
/// The agent itself finds out which program the process runs: at worst a bus service names another running process.
public struct Behalf: Hashable, Sendable, Codable {
    /// The most bytes in a unique name of a bus, and in a label.
    private static let longest = 255

    /// The unique name of the program's connection, which the bus assigned.
    public let bus: String
    /// The process that connected, as the bus saw it.
    public let pid: Int32
    /// The start time of the process, in ticks since the start of the machine (proc(5), field 22).
    public let start: UInt64
    /// The label that the kernel's security module assigned to the program; nil if the bus does not report it.
    public let label: String?
    /// Whether a person may be asked now.
    ///
    /// If not, a request that needs a question is refused with `nobodyToAsk`, or with `locked` if the vault is locked.
    public let mayAsk: Bool
    /// Whether the program has a session without encryption, in which values cross the bus in plain text.
    public let isPlain: Bool
    /// Whether the request may unlock the vault, which may ask a person; if not, it is refused with `locked`.
    public let mayOpen: Bool

    /// Makes the description of a program.
    public init(
        bus: String,
        pid: Int32,
        start: UInt64,
        label: String? = nil,
        mayAsk: Bool = true,
        isPlain: Bool = false,
        mayOpen: Bool = true
    ) {
        self.bus = bus
        self.pid = pid
        self.start = start
        self.label = label
        self.mayAsk = mayAsk
        self.isPlain = isPlain
        self.mayOpen = mayOpen
    }

    /// This program, with `mayAsk` false.
    public var unasked: Behalf { changed(mayAsk: false) }

    /// This program, with `isPlain` true.
    public var plain: Behalf { changed(isPlain: true) }

    /// This program, with `mayOpen` false.
    public var unopening: Behalf { changed(mayOpen: false) }

    private func changed(mayAsk: Bool? = nil, isPlain: Bool? = nil, mayOpen: Bool? = nil) -> Behalf {
        Behalf(
            bus: bus,
            pid: pid,
            start: start,
            label: label,
            mayAsk: mayAsk ?? self.mayAsk,
            isPlain: isPlain ?? self.isPlain,
            mayOpen: mayOpen ?? self.mayOpen
        )
    }

    private enum CodingKeys: String, CodingKey {
        case bus, pid, start, label
        case mayAsk = "ask"
        case isPlain = "plain"
        case mayOpen = "open"
    }

    /// Decodes the description that a bus service sent.
    ///
    /// - Throws: `malformed` if it cannot name a process on a bus; the errors of its fields.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            bus: try fields.decode(String.self, forKey: .bus),
            pid: try fields.decode(Int32.self, forKey: .pid),
            start: try fields.decode(UInt64.self, forKey: .start),
            label: try fields.decodeIfPresent(String.self, forKey: .label),
            mayAsk: try fields.decode(Bool.self, forKey: .mayAsk),
            isPlain: try fields.decode(Bool.self, forKey: .isPlain),
            mayOpen: try fields.decode(Bool.self, forKey: .mayOpen)
        )
        guard bus.hasPrefix(":"), pid > 0, max(bus.utf8.count, label?.utf8.count ?? 0) <= Self.longest else {
            throw FrameError.malformed
        }
    }
}

extension Behalf {
    /// The process, by its number and its start time.
    package var process: ProcessID { ProcessID(pid: pid, start: start) }

    /// Makes the description of a program on the bus, with its start time from /proc; nil if the process has ended.
    package init?(bus: String, process pid: Int32, label: String?) {
        guard let process = ProcessID(running: pid) else { return nil }
        self.init(bus: bus, pid: process.pid, start: process.start, label: label)
    }

    /// Makes the description of a program whose pidfd the bus passed; nil if the process has ended or has another number.
    ///
    /// - Parameters:
    ///   - bus: The unique name of the program's connection.
    ///   - pid: The process's number.
    ///   - descriptor: A pidfd, which the caller still owns and closes.
    ///   - label: The label that the kernel's security module assigned to the program.
    package init?(bus: String, process pid: Int32, descriptor: Int32, label: String?) {
        guard let process = ProcessID(running: pid, descriptor: descriptor) else { return nil }
        self.init(bus: bus, pid: process.pid, start: process.start, label: label)
    }
}
