/// The program on the message bus for which a front has something done, as the front saw it.
///
/// The agent reads by itself which program it is: at worst a front names another process that runs.
public struct Behalf: Hashable, Sendable, Codable {
    /// Bytes in the longest name that a bus gives out, and in the longest label.
    private static let longest = 255

    /// The unique name of its connection, which the bus gave it.
    public let bus: String
    /// The process that connected, as the bus saw it.
    public let pid: Int32
    /// When that process began, in ticks since the start of the machine (proc(5), field 22).
    public let start: UInt64
    /// What the security module of the kernel calls it; nil where the bus does not say.
    public let label: String?
    /// Whether a person may be asked now; else what would need a question is refused with `nobodyToAsk`, and a vault that is
    /// locked with `locked`.
    public let mayAsk: Bool
    /// Whether it has a session without encryption, in which values cross the bus as they are.
    public let isPlain: Bool
    /// Whether a locked vault is opened, which may ask a person; else the request is refused with `locked`.
    public let mayOpen: Bool

    /// A program.
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

    /// The same program, for which no person is asked now.
    public var unasked: Behalf { changed(mayAsk: false) }

    /// The same program, with a session without encryption.
    public var plain: Behalf { changed(isPlain: true) }

    /// The same program, for which a locked vault stays locked.
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

    /// Reads what a front sent.
    ///
    /// - Throws: `malformed` for what names no process on a bus.
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
    /// The process, and when it began.
    package var process: ProcessID { ProcessID(pid: pid, start: start) }

    /// A program on the bus, whose process began when /proc says; nil for one that has ended.
    package init?(bus: String, process pid: Int32, label: String?) {
        guard let process = ProcessID(running: pid) else { return nil }
        self.init(bus: bus, pid: process.pid, start: process.start, label: label)
    }

    /// The same where the bus gave a descriptor of the process, too.
    ///
    /// - Parameters:
    ///   - bus: the unique name of its connection.
    ///   - pid: its process.
    ///   - descriptor: a pidfd, which stays the caller's.
    ///   - label: what the security module of the kernel calls it.
    package init?(bus: String, process pid: Int32, descriptor: Int32, label: String?) {
        guard let process = ProcessID(running: pid, descriptor: descriptor) else { return nil }
        self.init(bus: bus, pid: process.pid, start: process.start, label: label)
    }
}
