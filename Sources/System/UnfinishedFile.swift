internal import CLinux
internal import Files
internal import Glibc

/// A file that is being written and has no name before it is finished: a reader finds the whole of it, or
/// nothing.
///
/// Where the file system can, it is a file without any name, which is gone with the process, however that ends.
/// Elsewhere it lies beside its place under another name, of mode 0600, and is removed when it is given up; a
/// process that is killed leaves it there then. A device or pipe is simply written to.
package final class UnfinishedFile {
    /// Write here.
    package let descriptor: Descriptor
    /// Set where what was written has a name already: the one who writes looks here for a signal and gives up.
    package let watch: SignalWatch?

    private let path: String
    private let force: Bool
    private let file: OpenFile
    private var draft: AtomicFile<ProgramError>?
    private let isDirect: Bool

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - path: Where the file goes; a device or pipe there is written to at once.
    ///   - force: True to replace a file that is there.
    ///   - mayBeUnnamed: False for a file system that has no files without a name.
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

    /// Brings it to the disk and gives it its name.
    ///
    /// - Throws: `fileExists` if the name was taken meanwhile; `diskFull`, `io`. There is no file then.
    package func finish() throws(ProgramError) {
        guard !isDirect else { return }
        try file.sync()
        if draft != nil {
            try draft?.place(at: path, replaces: force)
        } else if force {
            // A name for the moment: only rename(2) replaces what is there.
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

    /// A new file of mode 0600 in a folder, without a name: gone when it is closed.
    ///
    /// - Returns: nil where the file system has none, or where it could not be given a name.
    private static func unnamed(in folder: String) throws(ProgramError) -> OpenFile? {
        guard unsafe access("/proc/self/fd", X_OK) == 0 else { return nil }
        let number = unsafe hsip_open_unnamed(folder)
        if number >= 0 { return OpenFile(owning: number) }
        // A kernel that does not know such files opens the folder itself.
        guard [EOPNOTSUPP, EISDIR, EINVAL, ENOSYS].contains(errno) else { throw ProgramError(errno: errno) }
        return nil
    }

    deinit {
        // While the signals are still watched.
        draft = nil
        watch?.stop()
    }
}
