internal import CLinux
internal import Glibc

/// A connected local socket, closed with its last reference.
final class LocalSocket: Sendable {
    let descriptor: Int32

    /// Connects to a program of the same user.
    ///
    /// - Throws: `noAgent` if no process listens; `foreignAgent` if another user's program listens; `paths`; `lost`.
    init(connecting path: String) throws(AgentError) {
        guard path.utf8.count <= AgentPaths.longestPath else {
            throw .paths(.tooLong(bytes: path.utf8.count))
        }
        descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .lost(.io(code: errno)) }
        // A listener that accepts no client must not block its clients forever.
        var patience = timeval(tv_sec: FrameLimits.firstFrame, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
        guard Self.connect(descriptor, path) == 0 else {
            let code = errno
            switch code {
            case ENOENT, ECONNREFUSED, ENOTDIR, EACCES: throw .noAgent
            case EAGAIN: throw .lost(.timeout)
            default: throw .lost(.io(code: code))
            }
        }
        guard isOurs else { throw .foreignAgent }
    }

    /// Ends the connection for both sides, and wakes the threads that wait on it.
    func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Only a program of this user may receive secrets.
    private var isOurs: Bool {
        var peer = hsip_peer()
        guard unsafe hsip_peer_of(descriptor, &peer) == 0 else { return false }
        if peer.pidfd >= 0 { close(peer.pidfd) }
        return peer.uid == geteuid()
    }

    private static func connect(_ socket: Int32, _ path: String) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: Array(path.utf8)) }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
