internal import CLinux
internal import Glibc
internal import VaultCrypto

extension FrameChannel {
    /// Reads the rest of a header.
    ///
    /// The length is validated as soon as it has arrived, because a peer with a wrong length may send nothing more.
    func readHeader(into header: inout [UInt8], from start: Int, until end: Int64) throws(FrameError) {
        var done = start
        while true {
            if done >= FrameHeader.lengthSize { _ = try FrameHeader.length(header) }
            guard done < header.count else { return }
            done += try receive(into: &header, from: done, until: end)
        }
    }

    /// Reads a secret from the socket directly into locked memory.
    func readSecret(_ count: Int, until end: Int64) throws(FrameError) -> SecretBytes {
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

    func receive(into bytes: inout [UInt8], from start: Int, until end: Int64) throws(FrameError)
        -> Int
    {
        var span = bytes.mutableSpan
        return try unsafe span.withUnsafeMutableBytes { buffer throws(FrameError) in
            unsafe try receive(UnsafeMutableRawBufferPointer(rebasing: buffer[start...]), until: end)
        }
    }

    func receive(_ room: UnsafeMutableRawBufferPointer, until end: Int64) throws(FrameError) -> Int {
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

    func sendAll(
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
                if count == -Int(EAGAIN) { stalls?() }
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
        case EAGAIN: try wait(event, end == .max ? -1 : Int32(clamping: max(0, end - Self.now())))
        case EPIPE, ECONNRESET: throw .closed
        default: throw .io(code: code)
        }
    }

    func wait(_ event: Int32, _ milliseconds: Int32) throws(FrameError) {
        var request = pollfd(fd: socket, events: Int16(event), revents: 0)
        while true {
            let count = unsafe poll(&request, 1, milliseconds)
            if count > 0 { return }
            if count == 0 { throw .timeout }
            guard errno == EINTR else { throw .io(code: errno) }
        }
    }

    /// The time in milliseconds, on a clock that nobody can set.
    static func now() -> Int64 {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        return Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000
    }
}
