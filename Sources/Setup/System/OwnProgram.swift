package import Presentation
package import System
internal import VaultLifecycle

/// The path of this program, as another one can start it.
package enum OwnProgram {
    /// The path by which the search in `$PATH` finds it, or else the file itself.
    ///
    /// The first counts only where it leads to what is running; it outlives an update.
    ///
    /// - Throws: `unavailable` when the file is gone.
    package static func path(_ environment: Environment) throws(Failure) -> String {
        guard let running = InstalledProgram.running else {
            throw Failure(
                .unavailable,
                "hsip's own file is gone; an update may have replaced it",
                hint: "hsip version"
            )
        }
        if let found = ChildProcess.find("hsip", in: environment), Path.resolved(found) == running {
            return found
        }
        return running
    }
}
