internal import CLinux
internal import Files
internal import Glibc

/// A file that gets its name only when it is complete, so that readers see the whole file or no file.
///
/// If the file system can, the file has no name at all until then, and vanishes when the process ends in any way.
/// Elsewhere it has a temporary name beside its path and mode 0600, and is removed when the writer gives up. A process
/// that is killed leaves such a file behind. A device or pipe is written to directly.
package final class UnfinishedFile {
    /// The descriptor to write to.
    package let descriptor: Descriptor
    /// Set if the file has a temporary name; the writer checks it for a signal, and then gives up.
    package let watch: SignalWatch?

    private let path: String
    private let force: Bool
    private let file: OpenFile
    private var draft: AtomicFile<ProgramError>?
    private let isDirect: Bool

    /// Creates the file, or opens the device or pipe.
    ///
    /// - Parameters:
    ///   - path: The path that the file gets; a device or pipe there is written to directly.
    ///   - force: True to replace a file that is there.
    ///   - mayBeUnnamed: False to use a temporary name on every file system.
    /// - Throws: `fileExists` without `force`; `noSuchFile` when the folder is missing; `notReadable`,
    ///   `diskFull`.
    package init(at path: String, force: Bool, mayBeUnnamed: Bool = true) throws(ProgramError) {
        self.path = path
        self.force = force
        if let device = try OwnFile.device(at: path, force: force) {
            (file, descriptor, isDirect, watch) = (device, device.descriptor, true, nil)
            draft = nil
            return
        }
        isDirect = false
        if mayBeUnnamed, let unnamed = try Self.unnamed(in: Folder.parent(of: path)) {
            (file, watch) = (unnamed, nil)
            draft = nil
        } else {
            watch = try SignalWatch()
            do throws(ProgramError) {
                let made = try AtomicFile<ProgramError>(beside: path)
                file = made.file
                draft = consume made
            } catch {
                watch?.stop()
                throw error
            }
        }
        descriptor = file.descriptor
    }

    /// Flushes the file to the disk and gives it its name.
    ///
    /// - Throws: `fileExists` if another file got the name meanwhile; `diskFull`, `io`. No file is left then.
    package func finish() throws(ProgramError) {
        guard !isDirect else { return }
        try file.sync()
        if draft != nil {
            try draft?.place(at: path, replaces: force)
        } else if force {
            // rename(2) replaces a file, linkat(2) does not: so the file gets a temporary name first.
            let between = "\(path).hsip-\(UInt64.random(in: .min ... .max))"
            try name(between)
            try AtomicFile(between, file).place(at: path, replaces: true)
        } else {
            try name(path)
        }
        OwnFile.flushName(of: path)
    }

    private func name(_ path: String) throws(ProgramError) {
        let result = file.withNumber { unsafe hsip_give_name($0, path) }
        guard result == 0 else { throw ProgramError(errno: errno) }
    }

    /// Opens a new file of mode 0600 in a folder, without a name; the file is gone when it is closed.
    ///
    /// - Returns: nil if the file system has no such files, or if `/proc` is missing, through which they are named.
    private static func unnamed(in folder: String) throws(ProgramError) -> OpenFile? {
        guard unsafe access("/proc/self/fd", X_OK) == 0 else { return nil }
        let number = unsafe hsip_open_unnamed(folder)
        if number >= 0 { return OpenFile(owning: number) }
        // A kernel that does not know O_TMPFILE opens the folder itself.
        guard [EOPNOTSUPP, EISDIR, EINVAL, ENOSYS].contains(errno) else { throw ProgramError(errno: errno) }
        return nil
    }

    deinit {
        // The draft is removed while the signals are still watched.
        draft = nil
        watch?.stop()
    }
}
