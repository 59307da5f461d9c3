package import Files
internal import Glibc
package import VaultCrypto

/// An open file descriptor that is read and written completely: short writes continue, and errors are thrown.
package struct Descriptor: Equatable, Sendable {
    package static let input = Descriptor(STDIN_FILENO)
    package static let output = Descriptor(STDOUT_FILENO)
    package static let error = Descriptor(STDERR_FILENO)

    package let number: Int32

    package init(_ number: Int32) {
        self.number = number
    }

    /// Writes all bytes, or only the first `count`.
    ///
    /// - Throws: `closedPipe`, `diskFull`, `io` or another error of the system; some bytes may be written already.
    package func write(
        _ bytes: borrowing some ByteSource & ~Copyable,
        count: Int? = nil
    ) throws(ProgramError) {
        try bytes.withBytes { span throws(ProgramError) in
            try unsafe span.withUnsafeBytes { buffer throws(ProgramError) in
                let end = min(count ?? buffer.count, buffer.count)
                var done = 0
                while done < end {
                    let part = unsafe UnsafeRawBufferPointer(rebasing: buffer[done..<end])
                    let count = unsafe Glibc.write(number, part.baseAddress, part.count)
                    if count >= 0 {
                        done += count
                    } else {
                        try waitOrThrow(errno, for: POLLOUT)
                    }
                }
            }
        }
    }

    /// Writes all of a text as UTF-8.
    package func write(_ text: String) throws(ProgramError) {
        try write(Array(text.utf8))
    }

    /// Reads the available bytes into the span, and waits for at least one; returns 0 at the end of the input.
    ///
    /// The first byte goes to the offset `place` of the span.
    ///
    /// - Throws: The error of the system: `unsafeFile` for a folder, `io` for a device that fails.
    package func read(
        into span: inout MutableRawSpan,
        from place: Int = 0
    ) throws(ProgramError) -> Int {
        try unsafe span.withUnsafeMutableBytes { buffer throws(ProgramError) in
            let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[place...])
            while true {
                let count = unsafe Glibc.read(number, part.baseAddress, part.count)
                if count >= 0 { return count }
                try waitOrThrow(errno, for: POLLIN)
            }
        }
    }

    /// Reads `count` bytes, or fewer if the input ends earlier.
    package func read(upTo count: Int) throws(ProgramError) -> [UInt8] {
        var (bytes, filled) = ([UInt8](repeating: 0, count: count), 0)
        while filled < count {
            var span = bytes.mutableSpan
            var place = unsafe span.mutableBytes
            let got = try read(into: &place, from: filled)
            guard got > 0 else { break }
            filled += got
        }
        return Array(bytes[..<filled])
    }

    /// Retries after an interrupted call, and waits on a descriptor that another program made non-blocking.
    private func waitOrThrow(_ code: Int32, for event: Int32) throws(ProgramError) {
        switch code {
        case EINTR:
            return
        case EAGAIN:
            var request = pollfd(fd: number, events: Int16(event), revents: 0)
            _ = unsafe poll(&request, 1, -1)
        default:
            throw ProgramError(errno: code)
        }
    }
}

extension ProgramError: FileFailure {
    /// The case for an error number of the system.
    package init(errno code: Int32) {
        self =
            switch code {
            case EPIPE: .closedPipe
            case ENOSPC, EDQUOT: .diskFull
            case ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG: .noSuchFile
            case EEXIST: .fileExists
            case EACCES, EPERM, EROFS: .notReadable
            case EISDIR, ENXIO: .unsafeFile(.notAFile)
            case ENOMEM: .outOfMemory
            default: .io(code: code)
            }
    }

    package static func wrongKind(_ path: String) -> ProgramError { .unsafeFile(.notAFile) }
}

/// Regular files, which can be read ahead and then again from the same offset.
extension Descriptor {
    /// The offset at which a regular file is read next; nil for a pipe, a terminal or a device.
    package var place: UInt64? {
        var status = stat()
        guard unsafe fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let place = lseek(number, 0, SEEK_CUR)
        return place < 0 ? nil : UInt64(place)
    }

    /// Moves the next read of a regular file to an offset.
    package func seek(to place: UInt64) throws(ProgramError) {
        guard lseek(number, off_t(truncatingIfNeeded: place), SEEK_SET) >= 0 else {
            throw ProgramError(errno: errno)
        }
    }

    /// True if a regular file has bytes at this offset.
    package func hasMore(at place: UInt64) throws(ProgramError) -> Bool {
        var byte: UInt8 = 0
        while true {
            let count = unsafe pread(number, &byte, 1, off_t(truncatingIfNeeded: place))
            if count >= 0 { return count > 0 }
            guard errno == EINTR else { throw ProgramError(errno: errno) }
        }
    }

    /// Reads until the memory is full or the input ends.
    ///
    /// - Returns: The number of bytes that were read.
    package func fill(_ memory: inout SecretBytes) throws(ProgramError) -> Int {
        try memory.withMutableBytes { span throws(ProgramError) in
            var filled = 0
            while filled < span.byteCount {
                let count = try read(into: &span, from: filled)
                guard count > 0 else { break }
                filled += count
            }
            return filled
        }
    }
}

/// A file that stays open until its last reference is gone.
package typealias OpenFile = SecureFile<ProgramError>

extension SecureFile where Failure == ProgramError {
    /// The file as a stream, valid as long as this value exists.
    package var descriptor: Descriptor { withNumber { Descriptor($0) } }

    /// Passes the stream to `body`, and keeps the file open until `body` has returned.
    package func use<R: ~Copyable, E: Error>(_ body: (Descriptor) throws(E) -> R) throws(E) -> R {
        try withNumber { number throws(E) in try body(Descriptor(number)) }
    }
}
