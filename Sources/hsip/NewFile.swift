internal import Console
internal import Programs
internal import VaultOpening

/// The file of an `-o`, looked at before anything is done that would be lost without it: a number used, a
/// message marked as read.
enum NewFile {
    /// Refuses a place where the file cannot go.
    ///
    /// - Throws: `alreadyExists` for a file that is not to be replaced; `notFound` without its folder.
    static func check(_ path: String?, replaces: Bool) throws(Failure) {
        guard let path else { return }
        if Path.isFile(path), !replaces { throw Failures.explain(ConsoleError.fileExists) }
        guard Path.exists(Path.folder(of: path)) else { throw Failures.explain(ConsoleError.noSuchFile) }
    }
}
