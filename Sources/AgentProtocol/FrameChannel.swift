internal import Glibc
internal import Synchronization
public import VaultCrypto

/// Frames over one connected local socket, with a limit on everything that the other side decides.
///
/// One thread reads; any thread may send. Calls wait, so they are made from threads of our own. The socket belongs
/// to another owner, which closes it after the last call.
public final class FrameChannel: Sendable {
    let socket: Int32
    let hears: (@Sendable (Int32) -> Bool)?
    let stalls: (@Sendable () -> Void)?
    let patience: Int64
    /// Whether a part of a frame may have left without its rest: what is sent after it would be read as that.
    private let isBroken = Mutex(false)

    /// Frames over a socket that stays open as long as this is in use.
    ///
    /// - Parameters:
    ///   - socket: connected; another owner closes it.
    ///   - hears: called with the process that wrote the bytes that were read, 0 where the kernel does not say,
    ///     before anything is made of them; false ends the connection. The socket needs SO_PASSCRED for it.
    ///   - stalls: called before a send waits until the other side reads: if this thread reads, too, another one has to
    ///     do that meanwhile, or both sides wait for each other.
    public convenience init(
        socket: Int32,
        hears: (@Sendable (Int32) -> Bool)? = nil,
        stalls: (@Sendable () -> Void)? = nil
    ) {
        self.init(socket: socket, patience: Int64(FrameLimits.frame) * 1_000, hears: hears, stalls: stalls)
    }

    /// Frames over a socket, with the milliseconds that the other side has to take what is sent.
    package init(
        socket: Int32,
        patience: Int64,
        hears: (@Sendable (Int32) -> Bool)? = nil,
        stalls: (@Sendable () -> Void)? = nil
    ) {
        self.socket = socket
        self.patience = patience
        self.hears = hears
        self.stalls = stalls
    }

    /// Waits for the next frame.
    ///
    /// - Parameters:
    ///   - milliseconds: until its first byte has to be there; -1 for as long as it takes.
    ///   - latest: when all of it has to be there, by `now`.
    ///   - admit: may refuse a frame that it knows only the header of, before memory is taken for its body.
    /// - Returns: the frame; the body of one that carries a secret is in locked memory.
    /// - Throws: `closed` when the other side hung up between two frames or within one; `timeout`;
    ///   `stranger`.
    public func next(
        within milliseconds: Int32 = -1,
        until latest: Int64? = nil,
        admit: (FrameHeader) throws(FrameError) -> Void = { (_) throws(FrameError) in }
    ) throws(FrameError) -> Frame {
        var bytes = [UInt8](repeating: 0, count: FrameHeader.size)
        let first = milliseconds < 0 ? Int64.max : Self.now() + Int64(milliseconds)
        let count = try receive(into: &bytes, from: 0, until: first)
        let end = min(Self.now() + Int64(FrameLimits.frame) * 1_000, latest ?? .max)
        try readHeader(into: &bytes, from: count, until: end)
        let header = try FrameHeader(bytes)
        try admit(header)
        guard header.kind != .bytes else {
            return Frame(secret: Secret(try readSecret(header.count, until: end)), request: header.request)
        }
        var body = [UInt8](repeating: 0, count: header.count)
        var done = 0
        while done < body.count {
            done += try receive(into: &body, from: done, until: end)
        }
        return Frame(header.kind, request: header.request, body)
    }

    /// Waits until something has arrived, or the other side has hung up; false when neither happened in time.
    func waits(_ milliseconds: Int32) -> Bool { (try? wait(POLLIN, milliseconds)) != nil }

    /// Sends frames one after the other, with none of another thread between them.
    ///
    /// - Throws: `timeout` when the other side does not take them; `closed`, also after any earlier failure to send.
    public func send(_ frames: [Frame]) throws(FrameError) {
        let isSent = try isBroken.withLockIfAvailable { isBroken throws(FrameError) in
            try send(frames, &isBroken)
            return true
        }
        guard isSent == nil else { return }
        stalls?()
        try isBroken.withLock { isBroken throws(FrameError) in try send(frames, &isBroken) }
    }

    private func send(_ frames: [Frame], _ isBroken: inout Bool) throws(FrameError) {
        guard !isBroken else { throw .closed }
        isBroken = true
        // A secret goes from where it lies, in one call with what is before and after it.
        var before: [UInt8] = []
        var secret: Secret?
        var behind: [UInt8] = []
        for frame in frames {
            if secret == nil { before += frame.header.encoded } else { behind += frame.header.encoded }
            switch frame.body {
            case .plain(let bytes): if secret == nil { before += bytes } else { behind += bytes }
            case .secret(let next):
                if let secret {
                    try sendAll(before, secret, behind)
                    (before, behind) = ([], [])
                }
                secret = next
            }
        }
        if let secret { try sendAll(before, secret, behind) } else { try sendAll(before, behind, []) }
        isBroken = false
    }
}

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
