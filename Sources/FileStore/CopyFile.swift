internal import Glibc
internal import LocalState
internal import RecordStore
internal import VaultCrypto

/// A file that gets its name only when it is whole and on the disk; until then it lies beside it, for us alone.
struct CopyFile: ~Copyable {
    /// Where it is for now.
    let draft: String
    private let descriptor: Int32

    private init(draft: String, descriptor: Int32) {
        self.draft = draft
        self.descriptor = descriptor
    }

    /// Begins an empty file beside a place.
    static func begin(beside path: String, _ entropy: Entropy) throws(StoreError) -> CopyFile {
        Drafts.sweep(beside: path)
        let (draft, descriptor) = try Drafts.make(beside: path, entropy)
        let file = CopyFile(draft: draft, descriptor: descriptor)
        // Of what the umask took away, our own part comes back; nothing else is given.
        try SystemCall.retry { fchmod(descriptor, 0o600) }
        return file
    }

    /// Fills it with the bytes of another file.
    ///
    /// - Throws: `notFound`; `unsafeFile` for what is no file; `diskFull`, `io`.
    func take(_ path: String) throws(StoreError) {
        let source = try SystemCall.retry { unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        defer { close(source) }
        var facts = stat()
        try SystemCall.retry { unsafe fstat(source, &facts) }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw .unsafeFile(path: path, .wrongType) }
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = try SystemCall.retry { unsafe read(source, &chunk, chunk.count) }
            guard count > 0 else { return }
            try write(chunk[..<count])
        }
    }

    /// Fills it with the bytes of a file that may not be readable everywhere: zeros stand for what is not.
    ///
    /// - Parameters:
    ///   - source: The other file.
    ///   - isStopped: Whether it should end.
    /// - Returns: how many blocks of 4 KiB could not be read.
    /// - Throws: `diskFull`, `io`; `cancelled`.
    func take(_ source: BlockSource, isStopped: () -> Bool) throws(StoreError) -> Int {
        var unreadable = 0
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        for start in stride(from: 0, to: source.size, by: chunk.count) {
            guard !isStopped() else { throw .cancelled }
            let count = min(chunk.count, source.size - start)
            var span = chunk.mutableSpan
            var bytes = unsafe span.mutableBytes
            var part = bytes._mutatingExtracting(first: count)
            unreadable += source.read(at: start, into: &part)
            try write(chunk[..<count])
        }
        return unreadable
    }

    private func write(_ bytes: ArraySlice<UInt8>) throws(StoreError) {
        var rest = bytes
        while !rest.isEmpty {
            rest = rest.dropFirst(
                try SystemCall.retry {
                    unsafe rest.withUnsafeBytes { bytes in
                        unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
                    }
                }
            )
        }
    }

    /// Brings it to the disk and gives it its name.
    ///
    /// - Throws: `alreadyExists` where the name is taken, unless that is to be replaced.
    func place(at path: String, replaces: Bool = false) throws(StoreError) {
        try SystemCall.retry { fsync(descriptor) }
        if replaces {
            try SystemCall.retry { unsafe rename(draft, path) }
        } else if unsafe link(draft, path) == 0 {
            unsafe unlink(draft)
        } else {
            let code = errno
            guard code == EPERM || code == EOPNOTSUPP else {
                throw code == EEXIST ? .alreadyExists : StoreError(errno: code)
            }
            // A file system without hard links (FAT): the name was free a moment ago.
            guard try FileFacts(path) == nil else { throw .alreadyExists }
            try SystemCall.retry { unsafe rename(draft, path) }
        }
        try Self.syncFolder(PathChecks.parent(of: path))
    }

    /// Brings the names in a folder to the disk.
    ///
    /// Some file systems (FUSE, CIFS) know no such thing: what has its name there has it, and is no failure.
    static func syncFolder(_ path: String) throws(StoreError) {
        let folder = try SystemCall.retry { unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        defer { close(folder) }
        do throws(StoreError) {
            try SystemCall.retry { fsync(folder) }
        } catch {
            guard [.io(code: EINVAL), .io(code: EOPNOTSUPP)].contains(error) else { throw error }
        }
    }

    deinit {
        close(descriptor)
        // What got its name is not there any more.
        for ending in ["", "-journal", "-wal", "-shm"] { unsafe unlink(draft + ending) }
    }
}
