internal import Glibc
internal import System
package import VaultLifecycle

/// The texts for an unreachable keyring: the reason, and what helps.
struct KeyringText {
    let here: HostEnvironment
    /// The runtime folder of a session bus of this user that the environment does not name.
    var hiddenRuntimeFolder: String? = Self.runtimeFolder(of: geteuid()) { Path.exists($0) }
    /// Whether GNOME Keyring is installed.
    var hasDaemon = ChildProcess.find("gnome-keyring-daemon", in: .process) != nil

    /// No session bus was found.
    var noSessionBus: Failure.Words {
        (
            .noSessionBus, "hsip cannot reach the keyring: there is no session bus\(blank(here.words))",
            busHint
        )
    }

    /// The session bus has no service for secrets.
    var noSecretService: Failure.Words {
        (
            .noSecretService, "no keyring answers on the session bus\(blank(here.words))",
            serviceHint
        )
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

    /// Returns the runtime folder of systemd if a bus listens there and no variable names it, as with `sudo`, cron
    /// and `su`.
    private static func runtimeFolder(of user: UInt32, _ exists: (String) -> Bool) -> String? {
        guard Environment.process["XDG_RUNTIME_DIR"] == nil,
            Environment.process["DBUS_SESSION_BUS_ADDRESS"] == nil
        else { return nil }
        let folder = "/run/user/\(user)"
        return exists("\(folder)/bus") ? folder : nil
    }
}

extension HostEnvironment {
    /// `in this SSH login`; nil if the environment needs no words.
    package var words: String? {
        switch self {
        case .ssh: "in this SSH login"
        case .container: "in this container"
        case .wsl: "in WSL"
        case .plain: nil
        }
    }
}
