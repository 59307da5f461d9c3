internal import Glibc
internal import RecordStore

/// A file that is read block by block; unreadable blocks are zeros.
///
/// The file is opened for reading only, and its times do not change if the system allows that.
final class BlockSource: Sendable {
    /// Bytes of a block, the unit that is given up if the disk cannot read it.
    static let block = 4_096

    /// `O_NOATIME`, which Swift's Glibc module leaves out.
    private static let keepsTime: Int32 = 0o1_000_000

    /// The size of the file in bytes.
    let size: Int
    private let file: Int32
    private let path: String

    /// Opens a file; nil if it does not exist.
    ///
    /// - Throws: `unsafeFile` for what is neither an ordinary file nor a block device; `io`.
    init?(_ path: String) throws(StoreError) {
        guard let file = try Self.open(path) else { return nil }
        var facts = stat()
        guard unsafe fstat(file, &facts) == 0, [S_IFREG, S_IFBLK].contains(facts.st_mode & S_IFMT) else {
            close(file)
            throw .unsafeFile(path: path, .wrongType)
        }
        self.file = file
        self.path = path
        // The system reports no size for a device.
        size = max(0, Int(facts.st_mode & S_IFMT == S_IFBLK ? lseek(file, 0, SEEK_END) : facts.st_size))
    }

    deinit { close(file) }

    /// Fills all of `target` from `offset` on; unreadable blocks and bytes beyond the end are zeros.
    ///
    /// - Returns: the number of unreadable blocks.
    func read(at offset: Int, into target: inout MutableRawSpan) -> Int {
        var (done, unreadable) = (0, 0)
        while done < target.byteCount {
            let count = read(at: offset + done, target.byteCount - done, into: &target, from: done)
            if count > 0 {
                done += count
            } else if count == 0 {
                return unreadable + Self.clear(&target, done..<target.byteCount, 0)
            } else {
                // Retries block by block until the file is readable again: one bad sector costs only its block.
                let end = min(
                    (offset + done) / Self.block * Self.block + Self.block - offset,
                    target.byteCount
                )
                let step = read(at: offset + done, end - done, into: &target, from: done)
                if step <= 0 {
                    unreadable += Self.clear(&target, done..<end, 1)
                    done = end
                } else {
                    done += step
                }
            }
        }
        return unreadable
    }

    /// A copy of `count` bytes; zeros for unreadable ones.
    func bytes(at offset: Int, _ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var span = bytes.mutableSpan
        var target = unsafe span.mutableBytes
        _ = read(at: offset, into: &target)
        return bytes
    }

    /// The result of `pread(2)`.
    private func read(at offset: Int, _ count: Int, into target: inout MutableRawSpan, from start: Int) -> Int
    {
        unsafe target.withUnsafeMutableBytes { bytes in
            while true {
                let place = unsafe bytes.baseAddress?.advanced(by: start)
                let result = unsafe pread(file, place, count, off_t(offset))
                if result >= 0 || errno != EINTR { return result }
            }
        }
    }

    private static func clear(_ target: inout MutableRawSpan, _ range: Range<Int>, _ blocks: Int) -> Int {
        unsafe target.withUnsafeMutableBytes { bytes in
            for index in range { unsafe bytes[index] = 0 }
        }
        return blocks
    }

    private static func open(_ path: String) throws(StoreError) -> Int32? {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
        // Keeps the access time, if the owner of the file allows that.
        for flags in [flags | keepsTime, flags] {
            let file = unsafe Glibc.open(path, flags)
            if file >= 0 { return file }
            if errno == ENOENT { return nil }
            guard errno == EPERM else { break }
        }
        throw SystemCall.failure
    }
}
