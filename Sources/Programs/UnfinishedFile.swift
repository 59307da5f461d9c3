internal import CLinux
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
    private var temporary: String?
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
        if let kind = OwnFile.kind(path) {
            guard kind == S_IFREG, !OwnFile.isSystemLink(path) else {
                file = try OpenFile(path, O_WRONLY | O_APPEND)
                (descriptor, isDirect, watch) = (file.descriptor, true, nil)
                return
            }
            guard force else { throw .fileExists }
        }
        isDirect = false
        if mayBeUnnamed, let unnamed = try OpenFile.unnamed(in: OwnFile.folder(of: path)) {
            file = unnamed
            watch = nil
        } else {
            watch = try SignalWatch()
            let (name, named): (String, OpenFile)
            do throws(ProgramError) {
                (name, named) = try OpenFile.temporary(beside: path)
            } catch {
                watch?.stop()
                throw error
            }
            file = named
            temporary = name
        }
        descriptor = file.descriptor
    }

    /// Brings it to the disk and gives it its name.
    ///
    /// - Throws: `fileExists` if the name was taken meanwhile; `diskFull`, `io`. There is no file then.
    package func finish() throws(ProgramError) {
        guard !isDirect else { return }
        guard fsync(descriptor.number) == 0 else { throw ProgramError(errno: errno) }
        if let temporary {
            try OwnFile.place(temporary, at: path, force: force)
            self.temporary = nil
        } else if force {
            // A name for the moment: only rename(2) replaces what is there.
            let between = "\(path).hsip-\(UInt64.random(in: .min ... .max))"
            try name(between)
            guard unsafe rename(between, path) == 0 else {
                let code = errno
                unsafe unlink(between)
                throw ProgramError(errno: code)
            }
        } else {
            try name(path)
        }
        OwnFile.flushName(of: path)
    }

    private func name(_ path: String) throws(ProgramError) {
        guard unsafe hsip_give_name(descriptor.number, path) == 0 else { throw ProgramError(errno: errno) }
    }

    deinit {
        if let temporary { unsafe unlink(temporary) }
        watch?.stop()
    }
}
