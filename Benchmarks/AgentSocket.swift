internal import Glibc

/// One connection to an agent, ours or OpenSSH's: whole messages, sent and waited for.
final class AgentSocket {
    /// What can be polled.
    let descriptor: Int32

    /// Connects.
    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw BenchmarkError.system(errno) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
            unsafe place.copyBytes(from: path.utf8.prefix(place.count - 1))
        }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let answer = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, size)
            }
        }
        guard answer == 0 else { throw BenchmarkError.system(errno) }
    }

    deinit { close(descriptor) }

    /// Sends a message that is framed already.
    func send(_ message: [UInt8]) throws {
        var rest = message[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw BenchmarkError.system(errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Waits for the next message; its type first.
    func receive() throws -> [UInt8] {
        let size = try exactly(4).reduce(0) { $0 << 8 | Int($1) }
        return try exactly(size)
    }

    /// Sends a message and waits for the answer, which has to be of this type.
    func ask(_ message: [UInt8], expecting type: UInt8) throws -> [UInt8] {
        try send(message)
        let answer = try receive()
        guard answer.first == type else { throw BenchmarkError.answer(answer.first ?? 0) }
        return answer
    }

    private func exactly(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let more = unsafe bytes.withUnsafeMutableBytes {
                unsafe read(descriptor, $0.baseAddress.map { unsafe $0 + filled }, count - filled)
            }
            guard more > 0 else { throw BenchmarkError.system(more == 0 ? EPIPE : errno) }
            filled += more
        }
        return bytes
    }
}
