internal import Dispatch
internal import Glibc
internal import VaultCrypto

/// The pipe or socket over which an application gets its key from the portal; closed with the last reference.
final class PortalTarget: Sendable {
    /// Milliseconds that an application has to take its key.
    private static let patience: Int64 = 5_000

    private let descriptor: Int32
    private let isSocket: Bool
    private let patience: Int64

    /// Takes a descriptor over; nil for anything but a pipe or a socket, as writing to a file may wait for ever.
    init?(_ descriptor: Int32, patience: Int64 = PortalTarget.patience) {
        var facts = stat()
        guard unsafe fstat(descriptor, &facts) == 0,
            [S_IFIFO, S_IFSOCK].contains(facts.st_mode & S_IFMT),
            fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0
        else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        self.patience = patience
        isSocket = facts.st_mode & S_IFMT == S_IFSOCK
    }

    /// Writes a key, on a thread that may wait; false where it was not taken in time, or not at all.
    func write(_ key: Secret) async -> Bool {
        await withCheckedContinuation { done in
            DispatchQueue.global().async { done.resume(returning: self.put(key)) }
        }
    }

    private func put(_ key: Secret) -> Bool {
        let end = Self.now + patience
        return key.withBytes { bytes in
            unsafe bytes.withUnsafeBytes { bytes in
                var rest = unsafe bytes[...]
                while unsafe !rest.isEmpty {
                    let part = unsafe UnsafeRawBufferPointer(rebasing: rest)
                    // SIGPIPE is ignored by this program; a socket of another one gets none either.
                    let count =
                        isSocket
                        ? unsafe send(descriptor, part.baseAddress, part.count, Int32(MSG_NOSIGNAL))
                        : unsafe Glibc.write(descriptor, part.baseAddress, part.count)
                    if count > 0 {
                        unsafe rest = rest.dropFirst(count)
                        continue
                    }
                    guard count < 0, [EAGAIN, EINTR].contains(errno) else { return false }
                    let left = end - Self.now
                    guard left > 0 else { return false }
                    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = unsafe poll(&request, 1, Int32(left))
                }
                return true
            }
        }
    }

    /// Milliseconds of a clock that cannot be set.
    private static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    deinit { close(descriptor) }
}
