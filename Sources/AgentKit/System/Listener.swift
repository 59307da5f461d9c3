internal import CLinux
internal import Glibc

/// A listening local socket that only its owner can reach.
package final class Listener: Sendable {
    package let descriptor: Int32
    package let path: String
    private let identity: FileIdentity?
    /// Sockets of the service manager stay in place when the agent ends, so that clients wait for the next one.
    private let isOurs: Bool
    /// Held as long as this agent serves the path.
    private let lock: Int32

    init(descriptor: Int32, path: String, isOurs: Bool, lock: Int32) {
        self.descriptor = descriptor
        self.path = path
        self.isOurs = isOurs
        self.lock = lock
        identity = FileIdentity(path)
        _ = hsip_hear_writers(descriptor)
    }

    /// The next client; -1 with errno as accept(2) leaves it.
    func accept() -> Int32 { hsip_accept_connection(descriptor) }

    /// Whether the path still leads to this socket: otherwise no client will ever come.
    package var isInPlace: Bool { identity != nil && FileIdentity(path) == identity }

    /// Takes the socket away, if it is ours and still in place.
    package func remove() {
        if isOurs, isInPlace { unsafe unlink(path) }
    }

    deinit {
        close(descriptor)
        if lock >= 0 { close(lock) }
    }
}
