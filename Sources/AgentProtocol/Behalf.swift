internal import JSON

/// The program on the message bus for which a front has something done, as the front saw it.
///
/// The agent reads by itself which program it is: at worst a front names another process that runs.
public struct Behalf: Hashable, Sendable {
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

    /// A program.
    public init(
        bus: String,
        pid: Int32,
        start: UInt64,
        label: String? = nil,
        mayAsk: Bool = true,
        isPlain: Bool = false
    ) {
        self.bus = bus
        self.pid = pid
        self.start = start
        self.label = label
        self.mayAsk = mayAsk
        self.isPlain = isPlain
    }

    /// The same program, for which no person is asked now.
    public var unasked: Behalf {
        Behalf(bus: bus, pid: pid, start: start, label: label, mayAsk: false, isPlain: isPlain)
    }

    /// The same program, with a session without encryption.
    public var plain: Behalf {
        Behalf(bus: bus, pid: pid, start: start, label: label, mayAsk: mayAsk, isPlain: true)
    }

    var json: JSONValue {
        var json: JSONValue = ["bus": .text(bus), "pid": .number("\(pid)"), "start": .number("\(start)")]
        json["label"] = label.map { .text($0) }
        if !mayAsk { json["ask"] = .bool(false) }
        if isPlain { json["plain"] = .bool(true) }
        return json
    }

    /// What a front sent.
    ///
    /// - Throws: `malformed`.
    init(_ json: JSONValue) throws(FrameError) {
        guard let bus = try json.word("bus"), bus.hasPrefix(":"), bus.utf8.count <= Self.longest,
            let pid = try json.number("pid").flatMap({ Int32(exactly: $0) }), pid > 0,
            let start = try json.number("start").flatMap({ UInt64(exactly: $0) })
        else { throw .malformed }
        let label = try json.word("label")
        guard (label ?? "").utf8.count <= Self.longest else { throw .malformed }
        let mayAsk = try json.truth("ask") ?? true
        let isPlain = try json.truth("plain") ?? false
        self.init(bus: bus, pid: pid, start: start, label: label, mayAsk: mayAsk, isPlain: isPlain)
    }
}
