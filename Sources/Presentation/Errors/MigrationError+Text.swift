internal import Programs
package import VaultLifecycle

extension MigrationError: Explainable {
    package var explanation: ErrorText { ErrorText(words) }

    private var words: ErrorText.Words {
        switch self {
        case .taken(let path):
            (
                .alreadyExists, "something else lies at \(path), where the vault would go",
                "mv \(ShellWord.quoted(path)) ELSEWHERE"
            )
        case .overtaken:
            (
                .conflict, "the vault was moved by another process meanwhile",
                "hsip vault migrate  shows where it is"
            )
        case .lastCopy:
            (
                .unavailable,
                "the vault is not where it was: what the move left may be the last copy of it", "hsip doctor"
            )
        case .differs:
            (
                .copyDiffers,
                "the copy is not the same as the vault; it was removed, and the vault stays where it is",
                "hsip doctor"
            )
        }
    }
}
