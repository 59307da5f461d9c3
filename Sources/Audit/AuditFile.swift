internal import Glibc
internal import LocalState
internal import RecordStore

/// An open file, or folder, of the audit log; closed with the value.
final class AuditFile: Sendable {
    let descriptor: Int32
    /// Which file it is: as long as it is open, the system gives these numbers to no other.
    private let (device, number): (dev_t, ino_t)

    /// Takes over an open descriptor, and closes it where it throws.
    private init(_ descriptor: Int32, _ path: String) throws(AuditError) {
        var facts = stat()
        guard unsafe fstat(descriptor, &facts) == 0 else {
            let code = errno
            close(descriptor)
            throw AuditError(errno: code)
        }
        guard [S_IFREG, S_IFDIR].contains(facts.st_mode & S_IFMT) else {
            close(descriptor)
            throw .unsafePlace(path: path)
        }
        (self.descriptor, device, number) = (descriptor, facts.st_dev, facts.st_ino)
    }

    /// Opens a file or a folder; a new file is for its owner alone.
    ///
    /// - Parameters:
    ///   - path: where it lies; a link there is refused.
    ///   - flags: of open(2), beside those that keep links and children away.
    /// - Returns: nil when there is none.
    /// - Throws: `unsafePlace` for anything but a file or a folder; `noPlace`, `diskFull` or `failed` for
    ///   what the system refuses.
    static func open(_ path: String, _ flags: Int32) throws(AuditError) -> AuditFile? {
        let descriptor = unsafe Glibc.open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        if descriptor >= 0 { return try AuditFile(descriptor, path) }
        // A link, or a pipe without a reader.
        if errno == ELOOP || errno == ENXIO { throw .unsafePlace(path: path) }
        if errno == ENOENT { return nil }
        throw AuditError(errno: errno)
    }

    /// Takes its lock, `LOCK_SH` or `LOCK_EX`.
    ///
    /// - Throws: `busy` after ten seconds.
    func lock(_ kind: Int32) throws(AuditError) {
        do throws(StoreError) {
            try SystemCall.lock(descriptor, kind)
        } catch {
            throw AuditError(error)
        }
    }

    /// Gives the lock back.
    func unlock() { _ = flock(descriptor, LOCK_UN) }

    /// How many bytes it has.
    func size() throws(AuditError) -> Int {
        var facts = stat()
        guard unsafe fstat(descriptor, &facts) == 0 else { throw AuditError(errno: errno) }
        return Int(facts.st_size)
    }

    /// How many bytes it has, if a name still leads to it; nil where the name leads elsewhere or nowhere.
    ///
    /// One look tells both: it is made before every entry. `name` is a path, or a name in an open folder.
    func size(at name: String, in folder: AuditFile? = nil) -> Int? {
        var named = stat()
        let start = folder?.descriptor ?? AT_FDCWD
        guard unsafe fstatat(start, name, &named, AT_SYMLINK_NOFOLLOW) == 0, named.st_ino == number,
            named.st_dev == device
        else { return nil }
        return Int(named.st_size)
    }

    /// As many bytes as there are, at most `count`.
    func read(_ count: Int, at offset: Int) throws(AuditError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe pread(
                    descriptor,
                    buffer.baseAddress.map { unsafe $0 + filled },
                    count - filled,
                    off_t(offset + filled)
                )
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw AuditError(errno: errno) }
            if got == 0 { break }
            filled += got
        }
        return Array(bytes.prefix(filled))
    }

    /// Writes all of it, or takes back what it wrote.
    func write(_ bytes: [UInt8], at offset: Int) throws(AuditError) {
        var done = 0
        while done < bytes.count {
            let put = unsafe bytes.withUnsafeBytes { buffer in
                unsafe pwrite(
                    descriptor,
                    buffer.baseAddress.map { unsafe $0 + done },
                    bytes.count - done,
                    off_t(offset + done)
                )
            }
            if put < 0, errno == EINTR { continue }
            guard put > 0 else {
                let failure = put == 0 ? AuditError.diskFull : AuditError(errno: errno)
                // A file that cannot be cut either has a torn end, which the next writer finds.
                _ = ftruncate(descriptor, off_t(offset))
                throw failure
            }
            done += put
        }
    }

    /// Waits until what was written survives a power cut.
    func makeDurable() throws(AuditError) {
        guard fdatasync(descriptor) == 0 else { throw AuditError(errno: errno) }
    }

    deinit { close(descriptor) }
}

extension AuditError {
    /// What a number of errno means to the log.
    init(errno code: Int32) {
        switch code {
        case ENOSPC, EDQUOT, EFBIG: self = .diskFull
        case EROFS: self = .noPlace
        default: self = .failed(code: code)
        }
    }
}
