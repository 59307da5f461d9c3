internal import CSystemd
internal import Files
internal import Glibc

/// What systemd hands over and expects; nothing happens without it.
package enum ServiceManager {
    /// The first descriptor that is handed over, by the protocol of sd_listen_fds(3).
    private static let first: Int32 = 3
    /// More names than the agent has sockets are a mistake.
    private static let maximum: Int32 = 8

    /// How many descriptors were handed over, from number 3 on.
    ///
    /// Ask before the environment is cleared.
    package static var handedOver: Int32 {
        let count = sd_listen_fds(0)
        return count > 0 ? count : 0
    }

    /// The sockets that were handed over, by their names (`FileDescriptorName=`).
    ///
    /// - Parameter paths: what each must be: a listening local stream socket at this path, which only its
    ///   owner can reach.
    /// - Returns: the listeners by name; none where nothing was handed over.
    /// - Throws: `unsuitableSocket` for any other name, kind or place.
    package static func listeners(at paths: [String: String]) throws(SystemError) -> [String: Listener] {
        let names = unsafe getenv("LISTEN_FDNAMES").map { unsafe String(cString: $0) } ?? ""
        let count = handedOver
        guard count > 0 else { return [:] }
        let words = names.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard count <= maximum, words.count == Int(count) else { throw .unsuitableSocket(name: names) }
        var listeners: [String: Listener] = [:]
        for (index, name) in words.enumerated() {
            let descriptor = first + Int32(index)
            guard let path = paths[name], listeners[name] == nil, isSuitable(descriptor, path) else {
                throw .unsuitableSocket(name: name)
            }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
            listeners[name] = Listener(descriptor: descriptor, path: path, isOurs: false, lock: nil)
        }
        return listeners
    }

    private static func isSuitable(_ descriptor: Int32, _ path: String) -> Bool {
        let stream = Int32(SOCK_STREAM.rawValue)
        guard unsafe sd_is_socket_unix(descriptor, stream, 1, path, 0) > 0 else { return false }
        guard let facts = FileFacts(at: path) else { return false }
        // To connect takes the right to write.
        return facts.isSocket && facts.isOwn && facts.mode & 0o022 == 0
    }

    /// Tells the service manager, if there is one: `READY=1`, `STOPPING=1`, `STATUS=…`.
    package static func notify(_ state: String) { _ = unsafe sd_notify(0, state) }

    /// Tells the service manager, and the program that waits at this descriptor, that all is ready.
    ///
    /// For that program it leaves its session and its terminal.
    package static func ready(telling descriptor: Int32?) {
        notify("READY=1")
        unsafe chdir("/")
        guard let descriptor else { return }
        setsid()
        let nowhere = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
        for standard in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] { dup2(nowhere, standard) }
        close(nowhere)
        _ = unsafe write(descriptor, "ready\n", 6)
        close(descriptor)
    }

    /// Programs that the agent starts are not the service manager's business.
    package static func forget() {
        for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "LISTEN_PIDFDID"] { unsafe unsetenv(name) }
    }
}
