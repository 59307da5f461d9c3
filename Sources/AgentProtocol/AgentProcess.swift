internal import CLinux
internal import Files
internal import Glibc

/// The process that serves a control socket, of any protocol version; used to end an agent of another version.
public final class AgentProcess: Sendable {
    /// The process's number.
    public let pid: Int32
    /// The name of the process's program, as the kernel reports it.
    public let name: String
    private let watch: ProcessWatch

    /// Asks the kernel which process listens on a socket.
    ///
    /// - Throws: `noAgent` if no process listens, or it has just ended; `foreignAgent` for another user's process; `paths`;
    ///   `lost`.
    public init(serving path: String) throws(AgentError) {
        let socket = try LocalSocket(connecting: path)
        var peer = hsip_peer()
        guard unsafe hsip_peer_of(socket.descriptor, &peer) == 0 else { throw .noAgent }
        guard let watch = peer.pidfd >= 0 ? ProcessWatch(owning: peer.pidfd) : ProcessWatch(peer.pid) else {
            throw .noAgent
        }
        (self.watch, pid) = (watch, peer.pid)
        name = Self.name(of: peer.pid)
        guard pid > 0, watch.isRunning else { throw .noAgent }
    }

    /// True if the process is an hsip agent; a socket of systemd is served by systemd itself.
    public var isAgent: Bool { name == "hsip-agent" }

    /// Sends SIGTERM, which locks the vault, and waits for the end; returns false if the process still runs after that time.
    public func end(within seconds: Int) -> Bool {
        // Not by number: after this process has ended and was reaped, another process may have its number.
        guard hsip_process_signal(watch.descriptor, SIGTERM) == 0 || errno == ESRCH else { return false }
        var request = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&request, 1, Int32(clamping: seconds * 1_000)) == 1
    }

    /// The name of the program's file; if it is not readable, as for an agent, the name of the process (proc(5), comm).
    private static func name(of pid: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let size = buffer.count
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { text in
                unsafe text.baseAddress.map { unsafe readlink("/proc/\(pid)/exe", $0, size) } ?? -1
            }
        }
        if count > 0 {
            let path = String(decoding: buffer.prefix(count), as: UTF8.self)
            let file = path.split(separator: "/").last.map(String.init) ?? ""
            // After an update the kernel marks the old file as deleted.
            return file.hasSuffix(" (deleted)") ? String(file.dropLast(10)) : file
        }
        let name = try? SecureFile<SystemFailure>("/proc/\(pid)/comm", O_RDONLY).read(upTo: 64)
        return String(decoding: (name ?? []).filter { $0 != 0x0A }, as: UTF8.self)
    }
}
