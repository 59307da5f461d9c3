package import RecordStore
internal import System
package import Text
package import VaultLifecycle

extension OpeningError: Explainable {
    package var explanation: Failure { explanation(Display(isUTF8: true)) }

    /// Returns the reason and what helps; `display` makes names and paths safe to print.
    package func explanation(_ display: Display) -> Failure {
        switch self {
        case .noHome:
            Failure(
                .unavailable,
                "$HOME is not set to an absolute path",
                hint: "--vault ./NAME.hsipvault and $XDG_STATE_HOME"
            )
        case .badName:
            Failure(
                .usage,
                "a vault's name must not be empty or begin with a dot",
                hint: "--vault ./NAME.hsipvault  for a path"
            )
        case .noCurrentFolder: Failure(.unavailable, "the current folder no longer exists", hint: "cd")
        case .unreadableConfig(let path):
            Failure(
                .malformedInput,
                "\(display.text(path)) was changed: hsip cannot read it",
                hint: "hsip doctor --fix  after you corrected the file or moved it away"
            )
        case .unwritableConfig(let path):
            Failure(.unavailable, "\(display.text(path)) cannot be written", hint: "hsip doctor")
        case .noConfigFolder(let path):
            Failure(.unavailable, "the folder \(display.text(path)) cannot be made", hint: "hsip doctor")
        case .file(let error): error.explanation
        case .secretFile(let path, let error):
            error.explanation.saying("passphrase file \(display.text(path)): \(error.explanation.message)")
        case .closedDescriptor(let number): Failure(.usage, "descriptor \(number) is not open")
        case .needlessSecret(let option):
            Failure(
                .usage,
                "\(option) does not apply: this vault is in the keyring and has no passphrase"
            )
        case .misplaced(let place): Failure(place.words(display), details: place.details)
        case .shares(let error): error.explanation
        case .hardware(let error): error.explanation
        case .lastTries:
            Failure(
                .lastTries,
                "one more wrong PIN would lock the security key for good",
                hint: "--last-tries, or open the vault another way"
            )
        case .badPIN:
            Failure(
                .badPIN,
                "a PIN must have \(HardwareSecret.pinSizes.lowerBound) to "
                    + "\(HardwareSecret.pinSizes.upperBound) bytes of UTF-8"
            )
        case .store(let error): error.explanation
        }
    }
}

extension Misplacement {
    fileprivate func words(_ display: Display) -> Failure.Words {
        switch self {
        case .unrecorded(let file):
            (
                .unavailable, "the vault at \(display.text(file)) is not recorded on this machine",
                "hsip doctor --fix  records the vault, if it is yours"
            )
        case .unknownBackend:
            (.unavailable, "this program does not know the way the vault is stored", "update hsip")
        case .moved(let file):
            (
                .unavailable, "the vault is recorded at another path than \(display.text(file))",
                "hsip doctor --fix  records the new place"
            )
        case .missing(let file):
            (
                .unavailable, "the vault file \(display.text(file)) is gone",
                "hsip doctor --fix  forgets the vault, if the file cannot be put back"
            )
        case .exchanged(let file):
            (
                .unavailable, "the file at \(display.text(file)) is not the recorded vault but another one",
                "hsip doctor --fix  records this vault, if the other cannot be put back"
            )
        case .noHeader(let label):
            (
                .unavailable, "the vault is no longer in the keyring \(display.cell(label))",
                "hsip doctor --fix  forgets the vault, if the keyring cannot be put back"
            )
        case .unrecordedInKeyring(let name):
            (
                .unavailable,
                "the keyring has a vault named \(display.cell(name)) that is not recorded on this machine",
                "hsip doctor --fix  records the vault, if it is yours"
            )
        case .notForKeyring:
            (
                .notForKeyring, "this vault is in the keyring: it has no file and no key slots",
                "hsip vault migrate --to file"
            )
        }
    }

    fileprivate var details: JSONValue {
        switch self {
        case .noHeader: ["reason": "noHeader"]
        case .unrecordedInKeyring: ["reason": "unrecorded"]
        default: .null
        }
    }
}

/// The error for a vault file that is older than its last known state and has no log beside it.
///
/// Its newest commits may be in a log that was not copied with the file.
package enum MissingLog {
    /// Returns the failure; nil for any other error.
    ///
    /// - Parameters:
    /// - error: The error of opening the file.
    /// - file: The path of the vault.
    /// - Returns: the number of missing commits, and where they may be.
    package static func explanation(_ error: StoreError, of file: String) -> Failure? {
        guard case .rollback(let found, let expected) = error, found.epoch == expected.epoch,
            found.generation < expected.generation
        else { return nil }
        let count = expected.generation - found.generation
        let log = "\(file.split(separator: "/").last ?? "")-wal"
        return Failure(
            .rollback,
            "the vault is \(count) \(count == 1 ? "commit" : "commits") OLDER than the one last seen here, and its log "
                + "is not there: an old copy was put back, or \(log) is missing",
            hint: "put \(log) from the file's old folder beside the file; if that log is lost: "
                + "hsip vault restore --accept-rollback",
            details: StoreDetails.of(error, here: "")
        )
    }
}

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
