internal import CLinux
internal import Files
internal import Glibc

/// The process that serves a control socket, whatever protocol it speaks: for ending an agent of another version.
public final class AgentProcess: Sendable {
    /// Its number.
    public let pid: Int32
    /// The name of its program, as the kernel has it.
    public let name: String
    private let watch: ProcessWatch

    /// Asks the kernel who listens there.
    ///
    /// - Throws: `noAgent` when no process does, or one of another user, or one that has just ended.
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

    /// Whether it is an agent of ours.
    ///
    /// Behind a socket of systemd there is systemd.
    public var isAgent: Bool { name == "hsip-agent" }

    /// Tells it to end, which locks its vault, and waits for that; false when it has not ended by then.
    public func end(within seconds: Int) -> Bool {
        // Not by its number, which another process has once this one has ended and was collected.
        guard hsip_process_signal(watch.descriptor, SIGTERM) == 0 || errno == ESRCH else { return false }
        var request = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&request, 1, Int32(clamping: seconds * 1_000)) == 1
    }

    /// The program's file where it can be read; an agent hides it, so else the name of the process (proc(5), comm).
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
            // After an update the old file is gone.
            return file.hasSuffix(" (deleted)") ? String(file.dropLast(10)) : file
        }
        let name = try? SecureFile<SystemFailure>("/proc/\(pid)/comm", O_RDONLY).read(upTo: 64)
        return String(decoding: (name ?? []).filter { $0 != 0x0A }, as: UTF8.self)
    }
}
