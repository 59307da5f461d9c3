internal import Glibc
internal import Synchronization
public import VaultCrypto

/// Sends and receives frames over one connected local socket, and limits everything that the peer decides.
///
/// One thread reads, and any thread may send. Calls block, so callers make them from threads of their own. The caller owns
/// the socket, and closes it after the last call.
public final class FrameChannel: Sendable {
    let socket: Int32
    let hears: (@Sendable (Int32) -> Bool)?
    let stalls: (@Sendable () -> Void)?
    let patience: Int64
    /// True if a frame may have been sent only in part: the peer would read later bytes as its rest.
    private let isBroken = Mutex(false)

    /// Makes a channel over a socket, which must stay open while the channel is in use.
    ///
    /// - Parameters:
    ///   - socket: A connected socket, which the caller closes.
    ///   - hears: Called with the process that wrote the received bytes (0 if the kernel does not report it), before they are
    ///     parsed. If it returns false, the call throws `stranger`. The socket needs SO_PASSCRED for this.
    ///   - stalls: Called before a send waits for the peer to read. If the sending thread is also the reader, another thread
    ///     must read meanwhile, or both sides wait for each other.
    public convenience init(
        socket: Int32,
        hears: (@Sendable (Int32) -> Bool)? = nil,
        stalls: (@Sendable () -> Void)? = nil
    ) {
        self.init(socket: socket, patience: Int64(FrameLimits.frame) * 1_000, hears: hears, stalls: stalls)
    }

    /// Makes a channel over a socket, with the milliseconds that the peer has to receive a send.
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
    ///   - milliseconds: The limit for the first byte; -1 for no limit.
    ///   - latest: The time by which the whole frame must have arrived, on the clock of `now`.
    ///   - admit: Called with the header, before memory is allocated for the body; it may refuse the frame.
    /// - Returns: The frame; a secret body is in locked memory.
    /// - Throws: `closed` if the peer hung up between two frames or within one; `timeout`; `stranger`; `tooShort`,
    ///   `unknownKind` or `tooLong` for a bad header; `outOfMemory`; `io`; the errors of `admit`.
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

    /// Waits until bytes have arrived, or the peer has hung up; returns false if neither happened in time.
    func waits(_ milliseconds: Int32) -> Bool { (try? wait(POLLIN, milliseconds)) != nil }

    /// Sends frames one after the other, without frames of another thread between them.
    ///
    /// - Throws: `timeout` if the peer does not receive them in time; `closed`, also after any earlier failure to send; `io`.
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
        // A secret is sent from its own memory, in one call with the bytes before and after it.
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

/// The raw frames that arrived before the frame that refers to them.
public struct PendingFrames: Sendable {
    /// The secrets, in the order of their arrival.
    public private(set) var secrets: [Secret] = []
    /// The bodies of the data frames, joined.
    public private(set) var data: [UInt8] = []
    private var pieces = 0
    private var bytes = 0

    /// Makes an empty collection.
    public init() {}

    /// True if no raw frame has arrived.
    public var isEmpty: Bool { pieces == 0 && secrets.isEmpty }

    /// Checks a frame by its header, before memory is allocated for its body.
    ///
    /// - Throws: `tooMuch` above 16 frames of a kind, or 8 MiB in all.
    public func admit(_ header: FrameHeader) throws(FrameError) {
        let count = header.kind == .bytes ? secrets.count : pieces
        guard count < FrameLimits.frames, bytes + header.count <= FrameLimits.whole else { throw .tooMuch }
    }

    /// Adds a raw frame that was admitted.
    public mutating func take(_ frame: Frame) {
        bytes += frame.header.count
        switch frame.body {
        case .secret(let secret): secrets.append(secret)
        case .plain(let bytes):
            pieces += 1
            data += bytes
        }
    }

    /// Returns the frames that carry secrets and data, in the order of sending.
    ///
    /// - Throws: `tooMuch` for more than 16 secrets, a secret above 2 MiB, or more than 8 MiB in all.
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
