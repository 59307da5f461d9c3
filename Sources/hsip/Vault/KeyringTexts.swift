internal import Console
internal import Glibc
internal import Programs
internal import RecordStore
internal import VaultLifecycle

/// The words for a keyring that does not do what it should: what happened here, and the way out.
struct KeyringTexts {
    let here: HostEnvironment
    /// A bus of this user that is there though the environment does not name it.
    var hiddenRuntimeFolder: String? = Self.runtimeFolder(of: geteuid()) { Path.exists($0) }
    /// GNOME Keyring is installed.
    var hasDaemon = ChildProcess.find("gnome-keyring-daemon", in: .process) != nil

    /// One line, and one command.
    func text(of error: StoreError) -> (String, hint: String?) {
        switch error {
        case .noSessionBus:
            ("there is no session bus\(blank(here.words)), so the keyring cannot be reached", busHint)
        case .noSecretService:
            ("no Secret Service answers on the session bus\(blank(here.words))", serviceHint)
        case .noSecretLibrary: ("libsecret is not installed", "apt install libsecret-1-0")
        case .noSuchCollection: ("the Secret Service has no such keyring", "hsip doctor")
        case .keyringLocked:
            (
                "the keyring is locked, and hsip could not ask anyone to unlock it",
                "hsip vault verify  at the desktop, which asks for its password"
            )
        case .promptDismissed: ("the keyring stays locked: its prompt was closed", "try again")
        case .keyringTimeout: ("the keyring did not answer in time", "hsip doctor")
        case .keyringDied: ("the keyring went away in the middle of a call", "try again")
        case .keyringRefused(let code): ("the keyring refused a call (\(code))", "hsip doctor")
        default: ("the keyring cannot be used", "hsip doctor")
        }
    }

    private var busHint: String? {
        if let hiddenRuntimeFolder { return "export XDG_RUNTIME_DIR=\(hiddenRuntimeFolder)" }
        return switch here {
        case .ssh: "hsip vault migrate --to file  at the desktop; a file opens here too"
        case .container: "hsip vault migrate --to file  outside; a file opens here too"
        case .wsl, .plain: "hsip doctor"
        }
    }

    private var serviceHint: String? {
        if here == .ssh { return "hsip vault migrate --to file  at the desktop; a file opens here too" }
        return hasDaemon
            ? "gnome-keyring-daemon --start --components=secrets" : "apt install gnome-keyring"
    }

    private func blank(_ words: String?) -> String { words.map { " \($0)" } ?? "" }

    /// The runtime folder that systemd makes, where a bus listens in it and nobody said so: `sudo`, cron, `su`.
    private static func runtimeFolder(of user: UInt32, _ exists: (String) -> Bool) -> String? {
        guard Environment.process["XDG_RUNTIME_DIR"] == nil,
            Environment.process["DBUS_SESSION_BUS_ADDRESS"] == nil
        else { return nil }
        let folder = "/run/user/\(user)"
        return exists("\(folder)/bus") ? folder : nil
    }
}
