internal import CLinux
internal import Glibc
internal import Presentation
internal import System
internal import VaultCrypto

/// An ssh agent for one caller and one message: it receives the key that `ssh-add` sends.
final class KeyListener {
    private static let longest = 256 << 10

    private let listener: Int32
    private var connection: Int32 = -1

    init(at path: String) throws(ConsoleError) {
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { throw .io(code: errno) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let isBound = unsafe withUnsafeMutableBytes(of: &address.sun_path) { target in
            let fits = bytes.count < target.count
            if fits { unsafe target.copyBytes(from: bytes) }
            return fits
        }
        guard isBound else { throw .io(code: ENAMETOOLONG) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(listener, $0, size)
            }
        }
        guard result == 0, listen(listener, 1) == 0 else { throw .io(code: errno) }
    }

    /// The message that came before the process ended; nil if no message came.
    func receive(while process: Child, seconds: Int) throws -> Secret? {
        let deadline = ContinuousClock.now + .seconds(seconds)
        var message: Secret?
        while ContinuousClock.now < deadline {
            let isOver = process.ended() != nil
            if try isReady(connection >= 0 ? connection : listener, waits: !isOver) {
                if connection < 0 {
                    connection = accept(listener, nil, nil)
                } else if let next = try frame() {
                    // Only the first key counts: a file has one key.
                    message = message ?? next
                    try Descriptor(connection).write([0, 0, 0, 1, 6])
                } else {
                    return message
                }
            } else if isOver {
                return message
            }
        }
        throw ConsoleError.timedOut(seconds: seconds)
    }

    private func isReady(_ descriptor: Int32, waits: Bool) throws(ConsoleError) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let count = unsafe poll(&request, 1, waits ? 10 : 0)
        guard count >= 0 || errno == EINTR else { throw .io(code: errno) }
        return count > 0
    }

    /// One message without its length, read directly into locked memory; nil at the end.
    private func frame() throws -> Secret? {
        guard let header = try read(4) else { return nil }
        let size = header.withBytes { span in
            (0..<4).reduce(0) { $0 << 8 | Int(span.byte(at: $1)) }
        }
        guard (1...Self.longest).contains(size) else { return nil }
        guard let body = try read(size) else { return nil }
        return Secret(body)
    }

    private func read(_ count: Int) throws -> SecretBytes? {
        var bytes = try SecretBytes(count: count)
        var filled = 0
        while filled < count {
            let start = filled
            let got = bytes.withMutableBytes { span in
                unsafe span.withUnsafeMutableBytes { target in
                    unsafe Glibc.read(connection, target.baseAddress?.advanced(by: start), count - start)
                }
            }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { return nil }
            filled += got
        }
        return bytes
    }

    deinit {
        if connection >= 0 { close(connection) }
        close(listener)
    }
}
