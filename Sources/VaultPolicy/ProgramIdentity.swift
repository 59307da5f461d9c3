/// Which program a caller on the bus is, as a text that is compared whole: what an item's owner and readers are.
public struct ProgramIdentity: Hashable, Sendable {
    /// Bytes in the longest: sixteen readers fit into one attribute of a record.
    public static let longest = 255

    /// A path, or `flatpak:` or `snap:` with a name.
    public let text: String

    /// Whether it is a Flatpak or a snap: such a program sees what is its own and what it was granted, and nothing else.
    public var isSandboxed: Bool { text.utf8.first != 0x2F }

    /// The tool and the script, if the text names both; nil for a program.
    public var toolAndScript: (tool: String, script: String)? {
        let bytes = Array(text.utf8)
        let blank = bytes.indices.dropLast().first { bytes[$0] == 0x20 && bytes[$0 + 1] == 0x2F }
        guard !isSandboxed, let blank else { return nil }
        return (
            String(decoding: bytes[..<blank], as: UTF8.self),
            String(decoding: bytes[(blank + 1)...], as: UTF8.self)
        )
    }

    /// An identity as a record keeps it; nil for what is none, and for a path that is too long to be kept.
    public init?(_ text: String) {
        guard (1...Self.longest).contains(text.utf8.count),
            text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
        else { return nil }
        let isBox = ["flatpak:", "snap:"].contains {
            text.utf8.starts(with: $0.utf8) && text.utf8.count > $0.utf8.count
        }
        guard isBox || text.utf8.first == 0x2F else { return nil }
        self.text = text
    }

    /// Texts compare by canonical equivalence in Swift; two paths are the same when their bytes are.
    public static func == (left: Self, right: Self) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

extension ProgramIdentity: Codable {
    /// Reads a text.
    ///
    /// - Throws: `DecodingError` for a text that is no identity.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let identity = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no identity")
        }
        self = identity
    }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

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
