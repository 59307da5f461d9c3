internal import Console
internal import Programs
internal import SafeText
internal import VaultLifecycle

/// The words for a vault that was not found or not opened: what happened, and the way out.
enum OpeningTexts {
    static func explain(_ error: OpeningError, _ display: Display) -> Failure {
        switch error {
        case .noHome:
            unavailable(
                "$HOME is not set to an absolute path",
                "--vault ./NAME.hsipvault and $XDG_STATE_HOME"
            )
        case .badName:
            Failure.usage(
                "a vault's name is not empty and does not begin with a dot",
                hint: "--vault ./NAME.hsipvault  for a path"
            )
        case .noCurrentFolder: unavailable("the current folder is gone", "cd")
        case .unreadableConfig(let path):
            Failure(
                .malformed,
                code: "malformedInput",
                message: "\(path) is not what hsip wrote",
                hint: "correct it, or move it away and run hsip doctor --fix"
            )
        case .unwritableConfig(let path): unavailable("\(path) cannot be written", "hsip doctor")
        case .noConfigFolder(let path): unavailable("the folder \(path) cannot be made", "hsip doctor")
        case .file(let error): Failures.explain(error)
        case .secretFile(let path, let error): secretFile(path, error, display)
        case .closedDescriptor(let number):
            Failure.usage("descriptor \(number) is not open")
        case .needlessSecret(let option): noPassphrase(option)
        case .misplaced(let misplacement): explain(misplacement, display)
        case .store(let error): Failures.explain(error)
        }
    }

    /// Says which file it was that did not serve.
    static func secretFile(_ path: String, _ error: ProgramError, _ display: Display) -> Failure {
        var failure = Failures.explain(error)
        failure.message = "passphrase file \(display.text(path)): \(failure.message)"
        return failure
    }

    /// A passphrase came along for a vault that has none.
    static func noPassphrase(_ option: String) -> Failure {
        Failure.usage("\(option) is of no use: this vault lies in the keyring and has no passphrase")
    }

    /// Exit 12, the reason, and the way out.
    static func explain(_ misplacement: Misplacement, _ display: Display) -> Failure {
        switch misplacement {
        case .unrecorded(let file):
            unavailable(
                "there is a vault at \(file) that was not recorded here",
                "hsip doctor --fix  records it, if it is yours"
            )
        case .unknownBackend:
            unavailable("the vault is kept in a way this program does not know", "update hsip")
        case .moved(let file):
            unavailable(
                "the vault was recorded at another path than \(file)",
                "hsip doctor --fix  records the new place"
            )
        case .missing(let file):
            unavailable(
                "the vault was made at \(file), and the file is gone",
                "hsip doctor --fix  forgets it, if it cannot be put back"
            )
        case .exchanged(let file):
            unavailable(
                "the file at \(file) is another vault than the one recorded",
                "hsip doctor --fix  records this one, if the other cannot be put back"
            )
        case .noHeader(let label):
            unavailable(
                "the vault was made in the keyring \(display.cell(label)), and is not there any more",
                "hsip doctor --fix  forgets it, if the keyring cannot be put back",
                reason: "noHeader"
            )
        case .unrecordedInKeyring(let name):
            unavailable(
                "the keyring holds a vault of the name \(display.cell(name)) that was not recorded here",
                "hsip doctor --fix  records it, if it is yours",
                reason: "unrecorded"
            )
        case .notForKeyring:
            Failure(
                .unavailable,
                code: "notForKeyring",
                message: "this vault lies in the keyring: it has no file and no key slots",
                hint: "hsip vault migrate --to file"
            )
        }
    }

    private static func unavailable(_ message: String, _ hint: String, reason: String? = nil) -> Failure {
        Failure(
            .unavailable,
            code: "unavailable",
            message: message,
            hint: hint,
            details: reason.map { ["reason": .text($0)] } ?? .null
        )
    }
}
