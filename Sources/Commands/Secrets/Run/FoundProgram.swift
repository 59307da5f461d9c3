internal import Glibc
internal import Presentation
internal import System
internal import VaultLifecycle

/// A program to be started, found as a shell does (POSIX XCU 2.9.1.1).
struct FoundProgram {
    let path: String

    /// Looks a word up in `$PATH`, unless it has a slash; the current folder counts only where it is written.
    ///
    /// - Throws: a failure of 127 without such a program; of 126 for a file that cannot be executed.
    init(_ word: String, _ environment: Environment) throws(Failure) {
        guard !word.isEmpty, !word.utf8.contains(0) else { throw Self.missing }
        if word.contains("/") {
            guard unsafe access(word, F_OK) == 0 else { throw Self.missing }
            guard Self.isExecutable(word) else { throw Self.notExecutable }
            path = word
            return
        }
        let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        let places = folders.filter { $0.hasPrefix("/") }.map { "\($0)/\(word)" }
        if let found = places.first(where: Self.isExecutable) {
            path = found
            return
        }
        throw places.contains { unsafe access($0, F_OK) == 0 } ? Self.notExecutable : Self.missing
    }

    private static func isExecutable(_ path: String) -> Bool {
        unsafe Path.kind(path) == .file && access(path, X_OK) == 0
    }

    static let missing = Failure(.programNotFound, "program not found")

    static let notExecutable = Failure(
        .programNotExecutable,
        "the program cannot be executed",
        hint: "chmod u+x PROGRAM"
    )
}
