internal import Files
internal import Glibc
package import System

/// A picture for the eyes of this session: a file of mode 0600 under `$XDG_RUNTIME_DIR/hsip`, which lives
/// in memory, removed with its last holder.
package final class RuntimeFile: Sendable {
    package let path: String

    /// Writes the file.
    ///
    /// - Throws: `inputNeeded` naming `-o` when there is no runtime folder; `unsafeFile` when the folder is
    ///   open to others.
    package init(_ bytes: [UInt8], named name: String, in environment: Environment) throws(ConsoleError) {
        guard let base = environment["XDG_RUNTIME_DIR"], base.hasPrefix("/") else {
            throw .inputNeeded(flag: "-o FILE")
        }
        let folder = "\(base)/hsip"
        guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw ConsoleError(errno: errno) }
        let facts = try OpenFile(folder, O_RDONLY | O_DIRECTORY).facts()
        guard facts.isOwn else { throw .unsafeFile(.notMine) }
        guard !facts.isShared else { throw .unsafeFile(.readableByOthers) }
        path = "\(folder)/\(name)"
        try OwnFile.writeKept(bytes, to: path)
    }

    /// Removes the file now; also done at the end of its life, but not when the program is killed.
    package func remove() {
        unsafe unlink(path)
    }

    deinit {
        unsafe unlink(path)
    }
}
