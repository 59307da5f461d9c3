internal import Glibc
internal import System
package import VaultLifecycle

/// The words for a keyring that is out of reach: what happened here, and the way out.
struct KeyringText {
    let here: HostEnvironment
    /// A bus of this user that is there though the environment does not name it.
    var hiddenRuntimeFolder: String? = Self.runtimeFolder(of: geteuid()) { Path.exists($0) }
    /// GNOME Keyring is installed.
    var hasDaemon = ChildProcess.find("gnome-keyring-daemon", in: .process) != nil

    /// No session bus is here.
    var noSessionBus: Failure.Words {
        (
            .noSessionBus, "hsip cannot reach the keyring: there is no session bus\(blank(here.words))",
            busHint
        )
    }

    /// Nothing on the session bus keeps secrets.
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

    /// The runtime folder that systemd makes, where a bus listens in it and no variable says so: `sudo`, cron, `su`.
    private static func runtimeFolder(of user: UInt32, _ exists: (String) -> Bool) -> String? {
        guard Environment.process["XDG_RUNTIME_DIR"] == nil,
            Environment.process["DBUS_SESSION_BUS_ADDRESS"] == nil
        else { return nil }
        let folder = "/run/user/\(user)"
        return exists("\(folder)/bus") ? folder : nil
    }
}

extension HostEnvironment {
    /// `in this SSH login`; nothing where there is nothing to say.
    package var words: String? {
        switch self {
        case .ssh: "in this SSH login"
        case .container: "in this container"
        case .wsl: "in WSL"
        case .plain: nil
        }
    }
}
