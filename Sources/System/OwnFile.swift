internal import CLinux
internal import Files
internal import Glibc
package import VaultCrypto

/// Files that the program reads and writes for its user: codes, pictures, decrypted texts, secrets.
package enum OwnFile {
    /// The most bytes that a text or code may have, whether it is pasted, piped or read from a file.
    package static let textLimit = 1 << 20

    /// Writes a file: the whole file reaches the disk, or nothing changes.
    ///
    /// A temporary file beside it is written, flushed and renamed. A device or pipe (`/dev/stdout`) is written to
    /// directly. So is the target of a link in `/dev` or `/proc`, because such a link belongs to the system and is never
    /// replaced.
    ///
    /// - Parameters:
    ///   - bytes: The whole content of the file.
    ///   - path: The file, or a device or pipe.
    ///   - force: True to replace a file that is there.
    ///   - mode: The permissions of the file; a device or pipe keeps its own.
    ///   - isFlushed: False if the caller calls `flush` later, for many files at once.
    /// - Returns: The file that was made; nil if the bytes went to a device or pipe.
    /// - Throws: `fileExists` without `force`; `noSuchFile` when the folder is missing; `diskFull`.
    @discardableResult
    package static func write(
        _ bytes: borrowing some ByteSource & ~Copyable,
        to path: String,
        force: Bool = false,
        mode: UInt32 = 0o600,
        isFlushed: Bool = true
    ) throws(ProgramError) -> MadeFile? {
        if let device = try device(at: path, force: force) {
            try device.use { (descriptor) throws(ProgramError) in try descriptor.write(bytes) }
            return nil
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
        let draft = try AtomicFile<ProgramError>(beside: path)
        try draft.file.append(bytes)
        if mode != 0o600 { try draft.file.setMode(mode) }
        if isFlushed { try draft.file.sync() }
        let made = MadeFile(path: path, identity: try draft.file.facts().identity)
        try draft.place(at: path, replaces: force)
        if isFlushed { flushName(of: path) }
        return made
    }

    /// Flushes the folder, which makes the file's name durable; failing to flush a folder is not an error.
    static func flushName(of path: String) {
        try? Folder.sync(Folder.parent(of: path), or: ProgramError.self)
    }

    /// Brings everything that was written on the file system of a folder to the disk; failures are ignored.
    package static func flush(_ folder: String) {
        guard let folder = try? OpenFile(folder, O_RDONLY | O_DIRECTORY, followsLinks: true) else { return }
        folder.use { _ = hsip_flush_file_system($0.number) }
    }

    /// The bytes of a file that is not secret, a picture or a text; `-` is stdin.
    ///
    /// - Throws: `noSuchFile`, `notReadable`, `tooLarge`.
    package static func read(_ path: String, limit: Int = textLimit) throws(ProgramError) -> [UInt8] {
        guard path != "-" else { return try readSecret(path, limit: limit).withBytes { $0.copied() } }
        return try opened(path).use { (descriptor) throws(ProgramError) in
            try read(allOf: descriptor, limit: limit)
        }
    }

    /// The bytes of a regular file, for paths at which another program could put a pipe or a device.
    ///
    /// - Throws: `noSuchFile`, `notReadable`, `tooLarge`; `unsafeFile` if it is not a regular file.
    package static func readKept(
        _ path: String,
        limit: Int = textLimit,
        followsLinks: Bool = true
    ) throws(ProgramError) -> [UInt8] {
        let file = try OpenFile(path, O_RDONLY, followsLinks: followsLinks)
        guard let bytes = try file.contents(limit: limit) else { throw .tooLarge(limit: limit) }
        return bytes
    }

    /// Writes a file whose path the program chooses: whole, on the disk, and replacing the old file, which is not opened.
    package static func writeKept(
        _ bytes: some ByteSource,
        to path: String,
        mode: UInt32 = 0o600,
        isFlushed: Bool = true
    ) throws(ProgramError) {
        _ = try make(bytes, at: path, force: true, mode: mode, isFlushed: isFlushed)
    }

    /// The bytes of a descriptor after `start`, which was read from it before and counts towards `limit`.
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

    /// The bytes of a file, read directly into locked memory; `-` is stdin.
    package static func readSecret(_ path: String, limit: Int = textLimit) throws(ProgramError) -> SecretBytes
    {
        guard path != "-" else { return try allOf(.input, limit: limit) }
        return try opened(path).use { (descriptor) throws(ProgramError) in try allOf(descriptor, limit: limit)
        }
    }

    /// Opens a file for reading; throws `unsafeFile` for a folder.
    package static func opened(_ path: String) throws(ProgramError) -> OpenFile {
        let file = try OpenFile(named: path, O_RDONLY)
        guard try !file.facts().isFolder else { throw .unsafeFile(.notAFile) }
        return file
    }

    /// The bytes of a descriptor, read directly into locked memory.
    package static func allOf(_ descriptor: Descriptor, limit: Int = textLimit) throws(ProgramError)
        -> SecretBytes
    {
        var buffer = try SecretBuffer(limit: limit)
        try buffer.append(allOf: descriptor)
        return try buffer.finish()
    }

    /// Opens the device or pipe at a path; returns nil if a file is to be made.
    ///
    /// A link such as `/dev/stdout` counts as a stream even if it is redirected to a file.
    ///
    /// - Throws: `fileExists` if a file is there and `force` is false.
    static func device(at path: String, force: Bool) throws(ProgramError) -> OpenFile? {
        guard let facts = FileFacts(at: path, followsLinks: true) else { return nil }
        let isOfSystem = path.hasPrefix("/dev/") || path.hasPrefix("/proc/")
        guard facts.isFile, !(isOfSystem && FileFacts(at: path)?.isLink == true) else {
            // The file behind a redirected /dev/stdout may have content already, so the bytes are appended.
            return try OpenFile(named: path, O_WRONLY | O_APPEND)
        }
        guard force else { throw .fileExists }
        return nil
    }
}

/// A regular file that this program made under a name, so that it can remove that file and no other.
package struct MadeFile: Equatable, Sendable {
    fileprivate let path: String
    fileprivate let identity: FileFacts.Identity

    /// Removes the file, unless another file has its name by now.
    package func remove() {
        guard let facts = FileFacts(at: path), facts.isFile, facts.identity == identity else { return }
        unsafe unlink(path)
    }
}
