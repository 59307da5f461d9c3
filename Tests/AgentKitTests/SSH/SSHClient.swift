import Glibc
import SSHFormats

@testable import AgentKit

/// A program that speaks to the agent byte by byte; its calls wait, so they belong on own threads.
final class SSHClient: Sendable {
    struct Failed: Error {}

    let descriptor: Int32

    init(path: String) throws {
        descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0, LocalAddress(path).connect(descriptor) == 0 else { throw Failed() }
        var time = timeval(tv_sec: 60, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
    }

    deinit { close(descriptor) }

    /// Hangs up.
    func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// One message with its length before it.
    static func frame(_ body: [UInt8]) -> [UInt8] {
        var writer = WireWriter()
        writer.string(body)
        return writer.bytes
    }

    /// The next answer without its length; nil when the agent hung up.
    func answer() -> [UInt8]? {
        guard let head = read(4) else { return nil }
        var reader = WireReader(head)
        guard let count = try? reader.uint32() else { return nil }
        return read(Int(count))
    }

    func ask(_ body: [UInt8]) -> [UInt8]? {
        send(Self.frame(body))
        return answer()
    }

    /// The same from a task.
    func asked(_ body: [UInt8]) async -> [UInt8]? {
        await onOwnThread {
            self.ask(body)
        } while: {
        }
    }

    private func read(_ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var chunk = [UInt8](repeating: 0, count: count - bytes.count)
            let got = unsafe recv(descriptor, &chunk, chunk.count, 0)
            guard got > 0 else { return nil }
            bytes += chunk.prefix(got)
        }
        return bytes
    }
}
