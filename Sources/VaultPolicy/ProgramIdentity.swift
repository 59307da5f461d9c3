/// The identity of a program on the bus, as a text that is compared completely: items have an owner and readers.
public struct ProgramIdentity: Hashable, Sendable {
    /// The length of the longest identity in bytes: sixteen readers fit into one attribute of a record.
    public static let longest = 255

    /// A path, or `flatpak:` or `snap:` with a name.
    public let text: String

    /// Whether it is a Flatpak or a snap.
    ///
    /// Such a program sees only its own items and items that were granted to it.
    public var isSandboxed: Bool { text.utf8.first != 0x2F }

    /// The tool and the script if the text names both; nil for a program alone.
    public var toolAndScript: (tool: String, script: String)? {
        let bytes = Array(text.utf8)
        let blank = bytes.indices.dropLast().first { bytes[$0] == 0x20 && bytes[$0 + 1] == 0x2F }
        guard !isSandboxed, let blank else { return nil }
        return (
            String(decoding: bytes[..<blank], as: UTF8.self),
            String(decoding: bytes[(blank + 1)...], as: UTF8.self)
        )
    }

    /// Creates an identity from a stored text; nil if it is invalid, or a path that is too long to be stored.
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

    /// Compares bytes.
    ///
    /// Swift compares texts by canonical equivalence, but equal paths have equal bytes.
    public static func == (left: Self, right: Self) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

extension ProgramIdentity: Codable {
    /// Decodes a text.
    ///
    /// - Throws: `DecodingError` for a text that is not an identity.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let identity = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no identity")
        }
        self = identity
    }

    /// Encodes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// A program that asks over the message bus, as far as the agent can identify it.
///
/// The evidence is weaker than for a program on a socket: a process may connect and then become another program
/// before the agent asks the bus for it.
public struct BusProgram: Hashable, Sendable {
    /// The identity; nil if it is unknown.
    public let identity: ProgramIdentity?
    /// The start time of the process, in ticks since the machine started.
    ///
    /// Together with the process number it identifies one process.
    public let start: UInt64
    /// The paths of the program and of the programs that started it.
    ///
    /// A process can leave its chain, so the chain may only make a decision stricter.
    public let chain: [String]
    /// The unit of the user's service manager in which it runs; nil for none.
    ///
    /// A process can leave it, too.
    public let unit: String?

    /// Creates the facts about a program.
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
    /// Creates a requester on the bus: it is never hsip itself, and it has no terminal.
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
