internal import FileStore
internal import Glibc
package import Presentation
package import System
package import VaultLifecycle

/// Where ssh looks for its settings, and where the vault's lie.
package struct SSHPlaces {
    /// The folder that ssh puts in the place of `~`: the one of the user's account, whatever `$HOME` says.
    package let accountHome: String
    /// The user's settings: `~/.ssh/config`.
    package let config: String
    /// The hosts that the user's ssh knows without the vault: `~/.ssh/known_hosts`.
    package let knownHosts: String
    /// The settings that come from the vault: `$XDG_CONFIG_HOME/hsip/ssh_config`.
    package let fragment: String
    /// What `setup ssh` remembers for its undoing: `$XDG_STATE_HOME/hsip/ssh-setup.json`.
    package let record: String
    /// Whether `$HOME` is another folder than ssh's, so that ssh reads these settings with `-F` only.
    package let isElsewhere: Bool

    /// - Throws: `unavailable` without `$HOME`.
    package init(_ place: VaultPlace, _ environment: Environment) throws(Failure) {
        let home = try environment.home(for: "hsip setup ssh")
        let own = Self.trimmed(home)
        let account = Self.homeOfAccount().map(Self.trimmed) ?? own
        accountHome = account
        isElsewhere = own != account && Path.resolved(own) != Path.resolved(account)
        config = own + "/.ssh/config"
        knownHosts = own + "/.ssh/known_hosts"
        fragment = Path.folder(of: place.configPath) + "/ssh_config"
        record = place.paths.anchorFolder + "/ssh-setup.json"
    }

    /// The line that stands in `config`.
    var line: IncludeLine { IncludeLine(file: fragment, home: accountHome) }

    /// A path as it stands in settings of ssh: with `~` where that means the same.
    package func short(_ path: String) -> String {
        path.hasPrefix(accountHome + "/") ? "~" + path.dropFirst(accountHome.count) : path
    }

    /// A path without slashes at its end.
    private static func trimmed(_ path: String) -> String {
        path.lastIndex { $0 != "/" }.map { String(path[...$0]) } ?? ""
    }

    private static func homeOfAccount() -> String? {
        guard let account = unsafe getpwuid(geteuid()), let folder = unsafe account.pointee.pw_dir else {
            return nil
        }
        let path = unsafe String(cString: folder)
        return path.hasPrefix("/") ? path : nil
    }
}

extension Environment {
    /// The user's folder, without which a command of `setup` has nothing to change.
    ///
    /// - Throws: `unavailable` where `$HOME` is no absolute path.
    package func home(for command: String) throws(Failure) -> String {
        guard let home = self["HOME"], home.hasPrefix("/") else {
            throw Failure(
                .unavailable,
                "$HOME is not set to an absolute path",
                hint: "HOME=/home/NAME \(command)"
            )
        }
        return home
    }
}
