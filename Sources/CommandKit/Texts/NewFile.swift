package import Console
internal import Programs
internal import VaultLifecycle

/// The file of an `-o`, looked at before anything is done that would be lost without it: a number used, a
/// message marked as read.
package enum NewFile {
    /// The file that an `-o` names; nil for `-`, which is standard output in every command, as if there were no `-o`.
    package static func named(_ path: String?) -> String? { path == "-" ? nil : path }

    /// Refuses a place where the file cannot go.
    ///
    /// - Throws: `alreadyExists` for a file that is not to be replaced; `notFound` without its folder.
    package static func check(_ path: String?, replaces: Bool) throws(Failure) {
        guard let path = named(path) else { return }
        if Path.isFile(path), !replaces { throw Failures.explain(ConsoleError.fileExists) }
        guard Path.exists(Path.folder(of: path)) else {
            var failure = Failures.explain(ConsoleError.noSuchFile)
            failure.message = "there is no folder for the file that is to be written"
            failure.hint = "mkdir -p FOLDER"
            throw failure
        }
    }
}
