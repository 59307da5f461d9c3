internal import System
package import VaultLifecycle

extension MigrationError: Worded {
    package var words: Failure.Words {
        switch self {
        case .taken(let path):
            (
                .alreadyExists, "\(path) already exists, and the vault would go there",
                "mv \(ShellWord.quoted(path)) ELSEWHERE"
            )
        case .overtaken:
            (.conflict, "another process moved the vault meanwhile", "hsip vault migrate  shows where it is")
        case .lastCopy:
            (
                .unavailable,
                "the vault is not in its recorded place, so the move may have left its last copy",
                "hsip doctor"
            )
        case .differs:
            (
                .copyDiffers,
                "the new copy differs from the vault; hsip removed the copy, and the vault stays where it was",
                "hsip doctor"
            )
        }
    }
}
