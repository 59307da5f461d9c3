/// The nine bytes before a body: the length of all that follows it, the kind, the number of the request.
public struct FrameHeader: Equatable, Sendable {
    /// Bytes of a header.
    public static let size = 9
    /// Bytes of the length itself, which does not count itself.
    public static let lengthSize = 4

    /// What follows.
    public let kind: FrameKind
    /// The request that the frame belongs to; 0 is the hello.
    public let request: UInt32
    /// Bytes of the body.
    public let count: Int

    /// The header of a body.
    public init(_ kind: FrameKind, request: UInt32, count: Int) {
        self.kind = kind
        self.request = request
        self.count = count
    }

    /// Reads a header; nothing is believed that the kind does not allow.
    ///
    /// - Throws: `tooShort`, `unknownKind`, `tooLong`.
    public init(_ bytes: [UInt8]) throws(FrameError) {
        guard bytes.count == Self.size else { throw .tooShort }
        let length = try Self.length(bytes)
        guard let kind = FrameKind(rawValue: bytes[4]) else { throw .unknownKind(bytes[4]) }
        let count = length - (Self.size - Self.lengthSize)
        guard count <= kind.limit else { throw .tooLong }
        self.init(kind, request: Self.number(bytes[5...]), count: count)
    }

    /// The length in the first four bytes, before the rest of the header is waited for.
    ///
    /// - Throws: `tooShort` for less than a header, `tooLong` for more than any kind allows.
    public static func length(_ bytes: [UInt8]) throws(FrameError) -> Int {
        guard bytes.count >= lengthSize else { throw .tooShort }
        let length = Int(number(bytes[..<lengthSize]))
        guard length >= size - lengthSize else { throw .tooShort }
        guard length <= size - lengthSize + FrameLimits.bytes else { throw .tooLong }
        return length
    }

    /// The header as it is sent.
    public var encoded: [UInt8] {
        let length = UInt32(clamping: count + Self.size - Self.lengthSize)
        return Self.bytes(length) + [kind.rawValue] + Self.bytes(request)
    }

    private static func number(_ bytes: some Collection<UInt8>) -> UInt32 {
        bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}

/// The numbers that bound what one side of the control socket can make the other one do.
public enum FrameLimits {
    /// Bytes of a message: 256 KiB.
    public static let message = 256 << 10
    /// Values in a message, with the names of its fields.
    public static let values = 4_096
    /// Bytes of one raw frame: 2 MiB, as a message of 1 MiB is 1.4 MiB of text.
    public static let bytes = 2 << 20
    /// Raw frames of each kind that one request, reply or answer may have.
    public static let frames = 16
    /// Bytes of all raw frames of one request, reply or answer: 8 MiB.
    public static let whole = 8 << 20
    /// Requests of one connection that may run at the same time.
    public static let requests = 32
    /// Connections at the same time; the next one hears so and is closed.
    public static let connections = 64
    /// Connections of one process at a time: the rest is for the others, `hsip lock` among them, one for each process.
    public static let connectionsPerProcess = 48
    /// The last of all connections, which are for our own command line: many programs with one each leave it these.
    public static let ownConnections = 8
    /// How deep the JSON of a hello may be nested.
    public static let depth = 16
    /// Seconds until the first frame is there.
    public static let firstFrame = 2
    /// Seconds from the first byte of a frame to its last, and for the other side to take one.
    public static let frame = 10
    /// Seconds that a person has to answer a question.
    public static let question = 120
}
