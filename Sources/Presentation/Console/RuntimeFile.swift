internal import Files
internal import Glibc
package import System

/// A picture for the user's session: a file of mode 0600 in `$XDG_RUNTIME_DIR/hsip`, in memory, removed with its last
/// reference.
package final class RuntimeFile: Sendable {
    package let path: String

    /// Writes the file.
    ///
    /// - Throws: `inputNeeded` with the hint `-o` if no runtime folder exists; `unsafeFile` if others can access the
    ///   folder.
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

    /// Removes the file now.
    ///
    /// It is also removed with the last reference, but not if the program is killed.
    package func remove() {
        unsafe unlink(path)
    }

    deinit {
        unsafe unlink(path)
    }
}
