internal import CLinux
internal import Glibc
internal import Synchronization
internal import VaultCrypto

/// Frames over one connected local socket, with a limit on everything that the other side decides.
///
/// One thread reads; any thread may send. Calls wait, so they are made from threads of our own. The socket belongs
/// to another owner, which closes it after the last call.
public final class FrameChannel: Sendable {
    private let socket: Int32
    private let hears: (@Sendable (Int32) -> Bool)?
    private let patience: Int64
    /// Whether a part of a frame may have left without its rest: what is sent after it would be read as that.
    private let isBroken = Mutex(false)

    /// Frames over a socket that stays open as long as this is in use.
    ///
    /// - Parameters:
    ///   - socket: connected; another owner closes it.
    ///   - hears: is told which process wrote the bytes that were read, 0 where the kernel does not say,
    ///     before anything is made of them; false ends the connection. The socket needs SO_PASSCRED for it.
    public convenience init(socket: Int32, hears: (@Sendable (Int32) -> Bool)? = nil) {
        self.init(socket: socket, patience: Int64(FrameLimits.frame) * 1_000, hears: hears)
    }

    /// Frames over a socket, with the milliseconds that the other side has to take what is sent.
    package init(socket: Int32, patience: Int64, hears: (@Sendable (Int32) -> Bool)? = nil) {
        self.socket = socket
        self.patience = patience
        self.hears = hears
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
        try wait(POLLIN, milliseconds)
        let usual = Self.now() + Int64(FrameLimits.frame) * 1_000
        let end = min(usual, latest ?? usual)
        let header = try FrameHeader(try readHeader(until: end))
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
        try isBroken.withLock { isBroken throws(FrameError) in
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

    /// The length is judged as soon as it is there: a peer that sends a wrong one may send nothing more.
    private func readHeader(until end: Int64) throws(FrameError) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: FrameHeader.size)
        var done = 0
        while done < header.count {
            done += try receive(into: &header, from: done, until: end)
            if done >= FrameHeader.lengthSize { _ = try FrameHeader.length(header) }
        }
        return header
    }

    /// From the socket into locked memory, by no other way.
    private func readSecret(_ count: Int, until end: Int64) throws(FrameError) -> SecretBytes {
        var secret: SecretBytes
        do {
            secret = try SecretBytes(count: count)
        } catch {
            throw .outOfMemory
        }
        var done = 0
        while done < count {
            done += try secret.withMutableBytes { span throws(FrameError) in
                try unsafe span.withUnsafeMutableBytes { buffer throws(FrameError) in
                    unsafe try receive(UnsafeMutableRawBufferPointer(rebasing: buffer[done...]), until: end)
                }
            }
        }
        return secret
    }

    private func receive(into bytes: inout [UInt8], from start: Int, until end: Int64) throws(FrameError)
        -> Int
    {
        var span = bytes.mutableSpan
        return try unsafe span.withUnsafeMutableBytes { buffer throws(FrameError) in
            unsafe try receive(UnsafeMutableRawBufferPointer(rebasing: buffer[start...]), until: end)
        }
    }

    private func receive(_ room: UnsafeMutableRawBufferPointer, until end: Int64) throws(FrameError) -> Int {
        while true {
            var writer: Int32 = 0
            let count = unsafe hsip_receive(
                socket,
                room.baseAddress,
                room.count,
                Int32(MSG_DONTWAIT),
                &writer
            )
            if count > 0 {
                guard hears?(writer) ?? true else { throw .stranger }
                return count
            }
            guard count < 0 else { throw .closed }
            try waitOrThrow(errno, POLLIN, until: end)
        }
    }

    private func sendAll(
        _ before: [UInt8],
        _ secret: some ByteSource,
        _ behind: [UInt8]
    ) throws(FrameError) {
        let end = Self.now() + patience
        let whole = before.count + secret.count + behind.count
        var done = 0
        while done < whole {
            let count = before.withBytes { before in
                secret.withBytes { secret in
                    behind.withBytes { behind in
                        Self.send(before, secret, behind, from: done, to: socket)
                    }
                }
            }
            if count >= 0 {
                done += count
            } else {
                try waitOrThrow(Int32(-count), POLLOUT, until: end)
            }
        }
    }

    private static func send(
        _ before: RawSpan,
        _ secret: RawSpan,
        _ behind: RawSpan,
        from done: Int,
        to socket: Int32
    ) -> Int {
        unsafe before.withUnsafeBytes { before in
            unsafe secret.withUnsafeBytes { secret in
                unsafe behind.withUnsafeBytes { behind in
                    unsafe hsip_send(
                        socket,
                        [before.baseAddress, secret.baseAddress, behind.baseAddress],
                        [before.count, secret.count, behind.count],
                        done,
                        Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
                    )
                }
            }
        }
    }

    private func waitOrThrow(_ code: Int32, _ event: Int32, until end: Int64) throws(FrameError) {
        switch code {
        case EINTR: return
        case EAGAIN: try wait(event, Int32(clamping: max(0, end - Self.now())))
        case EPIPE, ECONNRESET: throw .closed
        default: throw .io(code: code)
        }
    }

    private func wait(_ event: Int32, _ milliseconds: Int32) throws(FrameError) {
        var request = pollfd(fd: socket, events: Int16(event), revents: 0)
        while true {
            let count = unsafe poll(&request, 1, milliseconds)
            if count > 0 { return }
            if count == 0 { throw .timeout }
            guard errno == EINTR else { throw .io(code: errno) }
        }
    }

    /// Milliseconds of a clock that is never set.
    static func now() -> Int64 {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        return Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000
    }
}
