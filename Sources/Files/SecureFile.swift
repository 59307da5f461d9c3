internal import Glibc
package import VaultCrypto

/// An open file or folder, closed with its last holder.
///
/// Another program of the same user can exchange any file for a pipe or a link. So a file is opened without
/// waiting, a link is followed only if that is asked for, and anything but an ordinary file is refused. Only
/// `init(named:_:)` opens whatever a person chose.
package final class SecureFile<Failure: FileFailure>: Sendable {
    private let number: Int32

    /// Opens an ordinary file, or a folder; a new file is for its owner alone.
    ///
    /// - Parameters:
    ///   - path: Where it is.
    ///   - flags: Of open(2), such as `O_RDONLY` or `O_RDWR | O_CREAT`; `O_DIRECTORY` for a folder.
    ///   - followsLinks: True to open what a link leads to.
    /// - Throws: `wrongKind` for a link, a pipe, a socket, a device, or a folder without `O_DIRECTORY`; the
    ///   error of the system.
    package init(_ path: String, _ flags: Int32, followsLinks: Bool = false) throws(Failure) {
        let safe = flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW)
        let number = Self.repeated { unsafe open(path, safe, 0o600) }
        guard number >= 0 else {
            // ENXIO: a pipe that no program reads from, or a socket.
            let isWrong = errno == ENXIO || errno == ELOOP && !followsLinks
            throw isWrong ? .wrongKind(path) : Failure(errno: errno)
        }
        self.number = number
        guard flags & O_DIRECTORY != 0 || FileFacts(of: number)?.isFile == true else {
            throw .wrongKind(path)
        }
    }

    /// Opens whatever a person named, a terminal, or a device: follows links and waits for the other end of a
    /// pipe.
    package init(named path: String, _ flags: Int32) throws(Failure) {
        number = unsafe open(path, flags | O_NOCTTY | O_CLOEXEC)
        guard number >= 0 else { throw Failure(errno: errno) }
    }

    /// Holds a file that is already open.
    package init(owning number: Int32) { self.number = number }

    deinit { close(number) }

    /// Passes the number of the file to `body`, and keeps the file open until that has returned.
    ///
    /// The number alone does not hold the file: after the last reference the file would be closed before it
    /// is used, and its number could be another file by then.
    package func withNumber<R: ~Copyable, E: Error>(_ body: (Int32) throws(E) -> R) throws(E) -> R {
        defer { withExtendedLifetime(self) {} }
        return try body(number)
    }

    package func facts() throws(Failure) -> FileFacts {
        guard let facts = withNumber({ FileFacts(of: $0) }) else { throw Failure(errno: errno) }
        return facts
    }

    /// What a name in this folder leads to, without following a link.
    package func facts(ofName name: String) -> FileFacts? { withNumber { FileFacts(at: name, in: $0) } }

    /// Whether a path still leads to this file.
    package func isInPlace(_ path: String) -> Bool {
        guard let named = FileFacts(at: path), let held = try? facts() else { return false }
        return named.identity == held.identity
    }

    /// As many bytes as there are from `offset` on, at most `count`.
    package func read(upTo count: Int, at offset: Int = 0) throws(Failure) -> [UInt8] {
        var (bytes, filled) = ([UInt8](repeating: 0, count: count), 0)
        while filled < count {
            let got = try call { number in
                unsafe bytes.withUnsafeMutableBytes { buffer in
                    let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                    return unsafe pread(number, part.baseAddress, part.count, off_t(offset + filled))
                }
            }
            guard got > 0 else { break }
            filled += got
        }
        return filled == count ? bytes : Array(bytes[..<filled])
    }

    /// All bytes of the file; nil if it has more than `limit`, of which none is kept.
    package func contents(limit: Int) throws(Failure) -> [UInt8]? {
        let size = try facts().size
        guard size <= limit else { return nil }
        var bytes: [UInt8] = []
        // Files of the kernel have no size, and others may grow.
        while bytes.count <= limit {
            let room = min(max(Int(size), 4_096), limit + 1 - bytes.count)
            let part = try read(upTo: room, at: bytes.count)
            guard !part.isEmpty else { return bytes }
            bytes += part
        }
        return nil
    }

    /// Writes all bytes at a place.
    package func write(_ bytes: some ByteSource, at offset: Int) throws(Failure) {
        try unsafe put(bytes) { number, part, done in
            unsafe pwrite(number, part.baseAddress, part.count, off_t(offset + done))
        }
    }

    /// Writes all bytes after what was written before.
    package func append(_ bytes: borrowing some ByteSource & ~Copyable) throws(Failure) {
        try unsafe put(bytes) { number, part, _ in unsafe Glibc.write(number, part.baseAddress, part.count) }
    }

    private func put(
        _ bytes: borrowing some ByteSource & ~Copyable,
        _ write: (Int32, UnsafeRawBufferPointer, Int) -> Int
    ) throws(Failure) {
        try bytes.withBytes { span throws(Failure) in
            try unsafe span.withUnsafeBytes { buffer throws(Failure) in
                var done = 0
                while done < buffer.count {
                    let part = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
                    let count = try call { unsafe write($0, part, done) }
                    guard count > 0 else { throw Failure(errno: ENOSPC) }
                    done += count
                }
            }
        }
    }

    /// Cuts everything from `size` on.
    package func cut(to size: Int = 0) throws(Failure) { try call { Int(ftruncate($0, off_t(size))) } }

    package func setMode(_ mode: UInt32) throws(Failure) { try call { Int(fchmod($0, mode)) } }

    /// Waits until what was written survives a power cut.
    package func sync() throws(Failure) { try call { Int(fsync($0)) } }

    /// The same for the bytes alone, without the file's times.
    package func syncData() throws(Failure) { try call { Int(fdatasync($0)) } }

    /// Does a system call on the file, again where a signal interrupted it.
    @discardableResult
    func call(_ body: (Int32) -> Int) throws(Failure) -> Int {
        let result = withNumber { number in Self.repeated { body(number) } }
        guard result >= 0 else { throw Failure(errno: errno) }
        return result
    }

    private static func repeated<Number: SignedInteger>(_ body: () -> Number) -> Number {
        while true {
            let result = body()
            guard result < 0, errno == EINTR else { return result }
        }
    }
}

/// An error by which a module says why a file cannot be used.
package protocol FileFailure: Error {
    /// The error for an error number of the system.
    init(errno code: Int32)

    /// The error for a path that leads to no ordinary file but to a link, a pipe, a folder or a device.
    static func wrongKind(_ path: String) -> Self
}

/// An error number of the system: for callers that only ask whether something worked.
package struct SystemFailure: FileFailure, Equatable {
    /// The number, as `errno` has it.
    package let code: Int32

    package init(errno code: Int32) { self.code = code }

    package static func wrongKind(_ path: String) -> SystemFailure { SystemFailure(errno: 0) }
}
