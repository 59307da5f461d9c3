package import SafeText
package import VaultLifecycle

extension OpeningError: Explainable {
    package var explanation: ErrorText { explanation(Display(isUTF8: true)) }

    /// What happened, and the way out; `display` shows names and paths to the person.
    package func explanation(_ display: Display) -> ErrorText {
        switch self {
        case .noHome:
            ErrorText(
                .unavailable,
                "$HOME is not set to an absolute path",
                hint: "--vault ./NAME.hsipvault and $XDG_STATE_HOME"
            )
        case .badName:
            ErrorText(
                .usage,
                "a vault's name is not empty and does not begin with a dot",
                hint: "--vault ./NAME.hsipvault  for a path"
            )
        case .noCurrentFolder: ErrorText(.unavailable, "the current folder is gone", hint: "cd")
        case .unreadableConfig(let path):
            ErrorText(
                .malformedInput,
                "\(display.text(path)) is not what hsip wrote",
                hint: "correct it, or move it away and run hsip doctor --fix"
            )
        case .unwritableConfig(let path):
            ErrorText(.unavailable, "\(display.text(path)) cannot be written", hint: "hsip doctor")
        case .noConfigFolder(let path):
            ErrorText(.unavailable, "the folder \(display.text(path)) cannot be made", hint: "hsip doctor")
        case .file(let error): error.explanation
        case .secretFile(let path, let error):
            error.explanation.saying("passphrase file \(display.text(path)): \(error.explanation.message)")
        case .closedDescriptor(let number): ErrorText(.usage, "descriptor \(number) is not open")
        case .needlessSecret(let option):
            ErrorText(
                .usage,
                "\(option) does not apply: this vault lies in the keyring and has no passphrase"
            )
        case .misplaced(let misplacement): misplacement.explanation(display)
        case .shares(let error): error.explanation
        case .store(let error): error.explanation
        }
    }
}

extension Misplacement {
    fileprivate func explanation(_ display: Display) -> ErrorText {
        switch self {
        case .unrecorded(let file):
            ErrorText(
                .unavailable,
                "there is a vault at \(display.text(file)) that was not recorded here",
                hint: "hsip doctor --fix  records it, if it is yours"
            )
        case .unknownBackend:
            ErrorText(
                .unavailable,
                "the vault is kept in a way this program does not know",
                hint: "update hsip"
            )
        case .moved(let file):
            ErrorText(
                .unavailable,
                "the vault was recorded at another path than \(display.text(file))",
                hint: "hsip doctor --fix  records the new place"
            )
        case .missing(let file):
            ErrorText(
                .unavailable,
                "the vault was made at \(display.text(file)), and the file is gone",
                hint: "hsip doctor --fix  forgets it, if it cannot be put back"
            )
        case .exchanged(let file):
            ErrorText(
                .unavailable,
                "the file at \(display.text(file)) is another vault than the one recorded",
                hint: "hsip doctor --fix  records this one, if the other cannot be put back"
            )
        case .noHeader(let label):
            ErrorText(
                .unavailable,
                "the vault was made in the keyring \(display.cell(label)), and is not there any more",
                hint: "hsip doctor --fix  forgets it, if the keyring cannot be put back",
                details: ["reason": "noHeader"]
            )
        case .unrecordedInKeyring(let name):
            ErrorText(
                .unavailable,
                "the keyring holds a vault of the name \(display.cell(name)) that was not recorded here",
                hint: "hsip doctor --fix  records it, if it is yours",
                details: ["reason": "unrecorded"]
            )
        case .notForKeyring:
            ErrorText(
                .notForKeyring,
                "this vault lies in the keyring: it has no file and no key slots",
                hint: "hsip vault migrate --to file"
            )
        }
    }
}
