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

    /// Lets a regular file be read from this place on.
    package func seek(to place: UInt64) throws(ProgramError) {
        guard lseek(number, off_t(truncatingIfNeeded: place), SEEK_SET) >= 0 else {
            throw ProgramError(errno: errno)
        }
    }

    /// Whether a regular file goes on at this place.
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
