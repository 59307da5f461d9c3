public import VaultCrypto

/// The raw frames that came before the frame that means them.
public struct PendingFrames: Sendable {
    /// The secrets, in the order in which they came.
    public private(set) var secrets: [Secret] = []
    /// The data, joined.
    public private(set) var data: [UInt8] = []
    private var pieces = 0
    private var bytes = 0

    /// Nothing yet.
    public init() {}

    /// Whether nothing has come.
    public var isEmpty: Bool { pieces == 0 && secrets.isEmpty }

    /// Refuses a frame before its memory is there.
    ///
    /// - Throws: `tooMuch` above 16 frames of a kind, or 8 MiB in all.
    public func admit(_ header: FrameHeader) throws(FrameError) {
        let count = header.kind == .bytes ? secrets.count : pieces
        guard count < FrameLimits.frames, bytes + header.count <= FrameLimits.whole else { throw .tooMuch }
    }

    /// Takes a raw frame that was admitted.
    public mutating func take(_ frame: Frame) {
        bytes += frame.header.count
        switch frame.body {
        case .secret(let secret): secrets.append(secret)
        case .plain(let bytes):
            pieces += 1
            data += bytes
        }
    }

    /// Frames that carry these, in the order in which they are sent.
    ///
    /// - Throws: `tooMuch` for more than a request or reply may have.
    public static func frames(
        secrets: [Secret],
        data: [UInt8],
        request: UInt32
    ) throws(FrameError) -> [Frame] {
        let whole = secrets.reduce(data.count) { $0 + $1.count }
        guard secrets.count <= FrameLimits.frames, whole <= FrameLimits.whole,
            secrets.allSatisfy({ $0.count <= FrameLimits.bytes })
        else { throw .tooMuch }
        var frames = secrets.map { Frame(secret: $0, request: request) }
        var rest = data[...]
        while !rest.isEmpty {
            frames.append(Frame(.data, request: request, Array(rest.prefix(FrameLimits.bytes))))
            rest = rest.dropFirst(FrameLimits.bytes)
        }
        return frames
    }
}
