internal import Glibc
package import VaultCrypto

/// Files that can be read twice: once ahead, and once more from the same place.
extension Descriptor {
    /// Where a regular file would be read next; nil for a pipe, a terminal, a device.
    package var place: UInt64? {
        var status = stat()
        guard unsafe fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let place = lseek(number, 0, SEEK_CUR)
        return place < 0 ? nil : UInt64(place)
    }

    /// Reads from any place of a regular file until the memory is full or the file ends; `place` stays as it is.
    ///
    /// - Returns: how many bytes were read.
    package func read(at place: UInt64, into memory: inout SecretBytes) throws(ProgramError) -> Int {
        try memory.withMutableBytes { span throws(ProgramError) in
            try unsafe span.withUnsafeMutableBytes { buffer throws(ProgramError) in
                var filled = 0
                while filled < buffer.count {
                    let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                    let offset = off_t(truncatingIfNeeded: place + UInt64(filled))
                    let count = unsafe pread(number, part.baseAddress, part.count, offset)
                    if count == 0 { break }
                    if count > 0 {
                        filled += count
                    } else if errno != EINTR {
                        throw ProgramError(errno: errno)
                    }
                }
                return filled
            }
        }
    }

    /// Reads until the memory is full or the input ends.
    ///
    /// - Returns: how many bytes were read.
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
