internal import CLinux
internal import Glibc
package import VaultCrypto

/// Files that the program reads and writes for its user: codes, pictures, decrypted texts, secrets.
package enum OwnFile {
    /// A text or code pasted, piped or read from a file may be this long.
    package static let textLimit = 1 << 20

    /// Writes a file of mode 0600, or another: whole and on the disk, or not at all.
    ///
    /// A temporary file beside it is written, flushed and put in its place. A device or pipe (`/dev/stdout`)
    /// is simply written to; so is what a link in `/dev` or `/proc` leads to, since such a link belongs to
    /// the system and is never replaced.
    ///
    /// - Parameters:
    ///   - bytes: All that the file holds then.
    ///   - path: The file, or a device or pipe.
    ///   - force: True to replace a file that is there.
    ///   - mode: The permissions of the file; a device or pipe keeps its own.
    ///   - isFlushed: False where `flush` follows for many files at once.
    /// - Returns: The file that was made; nil where something was only written to.
    /// - Throws: `fileExists` without `force`; `noSuchFile` when the folder is missing; `diskFull`.
    @discardableResult
    package static func write(
        _ bytes: borrowing some ByteSource & ~Copyable,
        to path: String,
        force: Bool = false,
        mode: UInt32 = 0o600,
        isFlushed: Bool = true
    ) throws(ProgramError) -> MadeFile? {
        if let kind = kind(path) {
            guard kind == S_IFREG, !isSystemLink(path) else {
                // Appending, as the file behind a redirected /dev/stdout may hold something already.
                let device = try OpenFile(path, O_WRONLY | O_APPEND)
                try device.use { (descriptor) throws(ProgramError) in try descriptor.write(bytes) }
                return nil
            }
            guard force else { throw .fileExists }
        }
        return try make(bytes, at: path, force: force, mode: mode, isFlushed: isFlushed)
    }

    private static func make(
        _ bytes: borrowing some ByteSource & ~Copyable,
        at path: String,
        force: Bool,
        mode: UInt32,
        isFlushed: Bool
    ) throws(ProgramError) -> MadeFile {
        let (temporary, file) = try OpenFile.temporary(beside: path)
        let made: MadeFile
        do throws(ProgramError) {
            try file.use { (descriptor) throws(ProgramError) in
                try descriptor.write(bytes)
                guard mode == 0o600 || fchmod(descriptor.number, mode) == 0 else {
                    throw ProgramError(errno: errno)
                }
                guard !isFlushed || fsync(descriptor.number) == 0 else { throw ProgramError(errno: errno) }
            }
            made = try MadeFile(file, at: path)
            try place(temporary, at: path, force: force)
        } catch {
            unsafe unlink(temporary)
            throw error
        }
        if isFlushed { flushName(of: path) }
        return made
    }

    /// The name itself is durable only when the folder is; a folder that cannot be flushed is no failure.
    static func flushName(of path: String) {
        guard let folder = try? OpenFile(Self.folder(of: path), O_RDONLY | O_DIRECTORY) else { return }
        folder.use { _ = fsync($0.number) }
    }

    /// Brings everything that was written on the file system of a folder to the disk; a failure is none here.
    package static func flush(_ folder: String) {
        guard let folder = try? OpenFile(folder, O_RDONLY | O_DIRECTORY) else { return }
        folder.use { _ = hsip_flush_file_system($0.number) }
    }

    /// The bytes of a public file, picture or text; `-` is stdin.
    ///
    /// - Throws: `noSuchFile`, `notReadable`, `tooLarge`.
    package static func read(_ path: String, limit: Int = textLimit) throws(ProgramError) -> [UInt8] {
        guard path != "-" else { return try readSecret(path, limit: limit).withBytes { $0.copied() } }
        return try opened(path).use { (descriptor) throws(ProgramError) in
            try read(allOf: descriptor, limit: limit)
        }
    }

    /// The bytes of a file that no person names: one that the program keeps, or finds in a place of its own.
    ///
    /// Another program may put anything there, so it is opened without waiting, and only an ordinary file is read.
    ///
    /// - Throws: `noSuchFile`, `notReadable`, `tooLarge`; `unsafeFile` for what is no ordinary file.
    package static func readKept(_ path: String, limit: Int = textLimit) throws(ProgramError) -> [UInt8] {
        let file = try OpenFile(path, O_RDONLY | O_NONBLOCK)
        guard try file.status().kind == S_IFREG else { throw .unsafeFile(.notAFile) }
        return try file.use { (descriptor) throws(ProgramError) in
            try read(allOf: descriptor, limit: limit)
        }
    }

    /// Writes a file that no person names, whole and on the disk, in the place of what is there: nothing that has its
    /// name is opened.
    package static func writeKept(
        _ bytes: some ByteSource,
        to path: String,
        mode: UInt32 = 0o600,
        isFlushed: Bool = true
    ) throws(ProgramError) {
        _ = try make(bytes, at: path, force: true, mode: mode, isFlushed: isFlushed)
    }

    /// The bytes of a descriptor; `start` is what was read of it before, and counts towards `limit`.
    package static func read(
        allOf descriptor: Descriptor,
        after start: [UInt8] = [],
        limit: Int = textLimit
    ) throws(ProgramError) -> [UInt8] {
        var (bytes, chunk) = (start, [UInt8](repeating: 0, count: 4096))
        while true {
            var span = chunk.mutableSpan
            var place = unsafe span.mutableBytes
            let count = try descriptor.read(into: &place)
            guard count > 0 else { return bytes }
            guard bytes.count + count <= limit else { throw .tooLarge(limit: limit) }
            bytes += chunk[..<count]
        }
    }

    /// The bytes of a file, straight into locked memory; `-` is stdin.
    package static func readSecret(_ path: String, limit: Int = textLimit) throws(ProgramError) -> SecretBytes
    {
        guard path != "-" else { return try allOf(.input, limit: limit) }
        return try opened(path).use { (descriptor) throws(ProgramError) in try allOf(descriptor, limit: limit)
        }
    }

    /// A file to read from; not a folder.
    package static func opened(_ path: String) throws(ProgramError) -> OpenFile {
        let file = try OpenFile(path, O_RDONLY)
        guard try file.status().kind != S_IFDIR else { throw .unsafeFile(.notAFile) }
        return file
    }

    /// All of a descriptor, straight into locked memory.
    package static func allOf(_ descriptor: Descriptor, limit: Int = textLimit) throws(ProgramError)
        -> SecretBytes
    {
        var buffer = try SecretBuffer(limit: limit)
        try buffer.append(allOf: descriptor)
        return try buffer.finish()
    }

    static func place(_ temporary: String, at path: String, force: Bool) throws(ProgramError) {
        if force {
            guard unsafe rename(temporary, path) == 0 else { throw ProgramError(errno: errno) }
            return
        }
        // link(2) refuses an existing name where rename(2) would replace it.
        if unsafe link(temporary, path) == 0 {
            unsafe unlink(temporary)
            return
        }
        let code = errno
        guard code == EPERM || code == EOPNOTSUPP || code == EMLINK else { throw ProgramError(errno: code) }
        // A file system without hard links (FAT): the name was free a moment ago.
        guard kind(path) == nil else { throw .fileExists }
        guard unsafe rename(temporary, path) == 0 else { throw ProgramError(errno: errno) }
    }

    /// The type bits of what the path leads to; nil when there is nothing.
    static func kind(_ path: String) -> mode_t? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return status.st_mode & S_IFMT
    }

    /// A link such as `/dev/stdout`, which stands for a stream even when that is redirected to a file.
    static func isSystemLink(_ path: String) -> Bool {
        guard path.hasPrefix("/dev/") || path.hasPrefix("/proc/") else { return false }
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
