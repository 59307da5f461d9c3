/// The nine bytes before a body: the length of the rest of the frame, the kind, and the number of the request.
public struct FrameHeader: Equatable, Sendable {
    /// The size of a header in bytes.
    public static let size = 9
    /// The size of the length field in bytes; the length does not include it.
    public static let lengthSize = 4

    /// The kind of the frame.
    public let kind: FrameKind
    /// The number of the request; 0 for the hello.
    public let request: UInt32
    /// The size of the body in bytes.
    public let count: Int

    /// Makes the header of a body.
    public init(_ kind: FrameKind, request: UInt32, count: Int) {
        self.kind = kind
        self.request = request
        self.count = count
    }

    /// Decodes a header, and validates its length against the limit of its kind.
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

    /// Decodes and validates the length in the first four bytes, before the rest of the header has arrived.
    ///
    /// - Throws: `tooShort` for less than a header, `tooLong` for more than any kind allows.
    public static func length(_ bytes: [UInt8]) throws(FrameError) -> Int {
        guard bytes.count >= lengthSize else { throw .tooShort }
        let length = Int(number(bytes[..<lengthSize]))
        guard length >= size - lengthSize else { throw .tooShort }
        guard length <= size - lengthSize + FrameLimits.bytes else { throw .tooLong }
        return length
    }

    /// The encoded header.
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

/// The limits on the work that one side of the control socket can cause on the other side.
public enum FrameLimits {
    /// The most bytes of a message: 256 KiB.
    public static let message = 256 << 10
    /// The most values in a message, including the names of its fields.
    public static let values = 4_096
    /// The most bytes of one raw frame: 2 MiB, because a message of 1 MiB is 1.4 MiB of text.
    public static let bytes = 2 << 20
    /// The most raw frames of each kind in one request, reply or answer.
    public static let frames = 16
    /// The most bytes of all raw frames in one request, reply or answer: 8 MiB.
    public static let whole = 8 << 20
    /// The most requests of one connection that run at the same time.
    public static let requests = 32
    /// The most connections at the same time; the next connection gets a refusal and is closed.
    public static let connections = 64
    /// The most connections of one process at a time, so that other processes, such as `hsip lock`, can still connect.
    public static let connectionsPerProcess = 48
    /// The number of connections that are reserved for the hsip command line, even if many programs are connected.
    public static let ownConnections = 8
    /// The most levels of nesting in the JSON of a hello.
    public static let depth = 16
    /// The seconds within which the first frame must arrive.
    public static let firstFrame = 2
    /// The seconds from the first byte of a frame to its last, and for the peer to receive a send.
    public static let frame = 10
    /// The seconds that a person has to answer a question.
    public static let question = 120
}
