internal import Files
internal import Glibc

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
    /// A program on the bus, whose process began when /proc says; nil for one that has ended.
    package init?(bus: String, process pid: Int32, label: String?) {
        guard pid > 0, let start = Self.start(of: pid) else { return nil }
        self.init(bus: bus, pid: pid, start: start, label: label)
    }

    /// The same where the bus gave a descriptor of the process, too: nil where the number is another process's by now.
    ///
    /// A number that is used again between two looks is found out by it, also where both processes began at the same tick.
    ///
    /// - Parameters:
    ///   - bus: the unique name of its connection.
    ///   - pid: its process.
    ///   - descriptor: a pidfd, which stays the caller's.
    ///   - label: what the security module of the kernel calls it.
    package init?(bus: String, process pid: Int32, descriptor: Int32, label: String?) {
        self.init(bus: bus, process: pid, label: label)
        // In this order: what still runs now is what was read above.
        guard Self.number(of: descriptor) == pid else { return nil }
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&request, 1, 0) == 0 else { return nil }
    }

    /// The number of the process that a pidfd is about, from /proc/self/fdinfo (proc(5)); -1 for one that ended.
    private static func number(of descriptor: Int32) -> Int32? {
        let bytes = contents("/proc/self/fdinfo/\(descriptor)")
        for line in bytes.split(separator: UInt8(ascii: "\n")) where line.starts(with: "Pid:".utf8) {
            let number = line.dropFirst(4).drop { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }
            return Int32(String(decoding: number, as: UTF8.self))
        }
        return nil
    }

    /// The 22nd field of /proc/PID/stat (proc(5)).
    private static func start(of pid: Int32) -> UInt64? {
        let bytes = contents("/proc/\(pid)/stat")
        // The name of the process may hold anything; after the last parenthesis come only numbers.
        guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " "))
        return fields.count > 19 ? UInt64(String(decoding: fields[19], as: UTF8.self)) : nil
    }

    /// The beginning of a file of the kernel; nothing for one that is not there.
    private static func contents(_ path: String) -> [UInt8] {
        (try? SecureFile<SystemFailure>(path, O_RDONLY).read(upTo: 1_024)) ?? []
    }
}
