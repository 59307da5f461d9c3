internal import CLinux
internal import Files
internal import Glibc

/// A listening local socket that only its owner can reach.
package final class Listener: Sendable {
    package let descriptor: Int32
    package let path: String
    private let identity: FileFacts.Identity?
    /// Sockets of the service manager stay in place when the agent ends, so that clients wait for the next one.
    private let isOurs: Bool
    /// Held as long as this agent serves the path.
    private let lock: SecureFile<SystemFailure>?

    init(descriptor: Int32, path: String, isOurs: Bool, lock: SecureFile<SystemFailure>?) {
        self.descriptor = descriptor
        self.path = path
        self.isOurs = isOurs
        self.lock = lock
        identity = FileFacts(at: path)?.identity
        _ = hsip_hear_writers(descriptor)
    }

    /// The next client; -1 with errno as accept(2) leaves it.
    func accept() -> Int32 { hsip_accept_connection(descriptor) }

    /// Whether the path still leads to this socket: otherwise no client will ever come.
    package var isInPlace: Bool { identity != nil && FileFacts(at: path)?.identity == identity }

    /// Takes the socket away, if it is ours and still in place.
    package func remove() {
        if isOurs, isInPlace { unsafe unlink(path) }
    }

    deinit { close(descriptor) }
}

/// The address of a local socket, for the calls that want one.
struct LocalAddress {
    private let path: [UInt8]

    /// - Parameter path: at most `Listener.longestPath` bytes.
    init(_ path: String) {
        self.path = Array(path.utf8.prefix(Listener.longestPath))
    }

    /// bind(2).
    func bind(_ socket: Int32) -> Int32 {
        unsafe withAddress { unsafe Glibc.bind(socket, $0, $1) }
    }

    /// connect(2).
    func connect(_ socket: Int32) -> Int32 {
        unsafe withAddress { unsafe Glibc.connect(socket, $0, $1) }
    }

    private func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

extension Listener {
    /// Clients that wait to be accepted.
    private static let backlog: Int32 = 128
    /// Bytes of a socket's path, by the layout of sockaddr_un, without the zero at the end.
    package static let longestPath = 107

    /// Makes the socket at a path, for its owner alone from the first moment on.
    ///
    /// The folder must exist, be ours and closed to all other users. A socket that an agent left behind is
    /// replaced once it is certain that no process listens on it; a lock file beside it keeps two agents that start
    /// together from replacing each other's.
    ///
    /// - Throws: `pathTooLong`, `unsafeFolder`, `alreadyServed`, `pathTaken`, `failed`.
    package static func bind(path: String) throws(SystemError) -> Listener {
        guard path.utf8.count <= longestPath else { throw .pathTooLong(path: path) }
        try checkFolder(of: path)
        let lock = try takeLock(path)
        try clear(path)
        return Listener(descriptor: try listen(at: path), path: path, isOurs: true, lock: lock)
    }

    private static func checkFolder(of path: String) throws(SystemError) {
        let folder = Folder.parent(of: path)
        guard let facts = FileFacts(at: folder) else { throw .failed(call: "stat", code: errno) }
        guard facts.isFolder, facts.isOwn, !facts.isShared else { throw .unsafeFolder(path: folder) }
    }

    private static func takeLock(_ path: String) throws(SystemError) -> SecureFile<SystemFailure> {
        let lock: SecureFile<SystemFailure>
        do throws(SystemFailure) {
            lock = try SecureFile("\(path).lock", O_RDWR | O_CREAT)
        } catch {
            guard error != .wrongKind(path) else { throw .pathTaken(path: "\(path).lock") }
            throw .failed(call: "open", code: error.code)
        }
        guard lock.takeLock(.alone) else {
            throw errno == EWOULDBLOCK ? .alreadyServed(path: path) : .failed(call: "flock", code: errno)
        }
        return lock
    }

    /// Removes what a dead agent left; anything else stays, and is an error.
    private static func clear(_ path: String) throws(SystemError) {
        guard let facts = FileFacts(at: path) else {
            guard errno == ENOENT else { throw .failed(call: "stat", code: errno) }
            return
        }
        guard facts.isSocket, facts.isOwn else { throw .pathTaken(path: path) }
        let probe = try newSocket()
        defer { close(probe) }
        guard LocalAddress(path).connect(probe) != 0, errno == ECONNREFUSED else {
            throw .alreadyServed(path: path)
        }
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw .failed(call: "unlink", code: errno) }
    }

    private static func listen(at path: String) throws(SystemError) -> Int32 {
        let descriptor = try newSocket()
        // Linux gives the file of a socket the mode that the socket has when it is bound: there is no moment at which
        // it is open to others. The folder is closed to them anyway. The mask would do the same, but it is the whole
        // process's, and another thread may be making a folder.
        guard fchmod(descriptor, 0o600) == 0, LocalAddress(path).bind(descriptor) == 0 else {
            let failure = errno
            close(descriptor)
            throw failure == EADDRINUSE ? .pathTaken(path: path) : .failed(call: "bind", code: failure)
        }
        guard Glibc.listen(descriptor, backlog) == 0 else {
            let failure = errno
            close(descriptor)
            throw .failed(call: "listen", code: failure)
        }
        return descriptor
    }

    private static func newSocket() throws(SystemError) -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { throw .failed(call: "socket", code: errno) }
        return descriptor
    }
}

/// Why the agent could not get from the system what it needs.
package enum SystemError: Error, Equatable, Sendable {
    /// A call of the system failed with an error number.
    case failed(call: String, code: Int32)
    /// The path of a socket is longer than the system's 107 bytes.
    case pathTooLong(path: String)
    /// Another program listens on the socket.
    case alreadyServed(path: String)
    /// Something that is no socket of ours lies where the socket should be.
    case pathTaken(path: String)
    /// The folder of the sockets is not ours alone.
    case unsafeFolder(path: String)
    /// A descriptor that was handed over is not the listening local socket that it should be.
    case unsuitableSocket(name: String)
}
