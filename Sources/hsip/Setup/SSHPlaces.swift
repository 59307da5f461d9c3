internal import Console
internal import FileStore
internal import Glibc
internal import Programs
internal import VaultLifecycle

/// Where ssh looks for its settings, and where the vault's lie.
struct SSHPlaces {
    /// The folder that ssh puts in the place of `~`: the one of the user's account, whatever `$HOME` says.
    let accountHome: String
    /// The user's settings: `~/.ssh/config`.
    let config: String
    /// The hosts that the user's ssh knows without the vault: `~/.ssh/known_hosts`.
    let knownHosts: String
    /// The settings that come from the vault: `$XDG_CONFIG_HOME/hsip/ssh_config`.
    let fragment: String
    /// What `setup ssh` remembers for its undoing: `$XDG_STATE_HOME/hsip/ssh-setup.json`.
    let record: String
    /// Whether `$HOME` is another folder than ssh's, so that ssh reads these settings with `-F` only.
    let isElsewhere: Bool

    /// - Throws: `unavailable` without `$HOME`.
    init(_ place: VaultPlace, _ environment: Environment) throws(Failure) {
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw Failure(
                .unavailable,
                code: "unavailable",
                message: "$HOME is not set to an absolute path",
                hint: "HOME=/home/NAME hsip setup ssh"
            )
        }
        let own = Self.trimmed(home)
        let account = Self.homeOfAccount().map(Self.trimmed) ?? own
        accountHome = account
        isElsewhere = own != account && Self.resolved(own) != Self.resolved(account)
        config = own + "/.ssh/config"
        knownHosts = own + "/.ssh/known_hosts"
        fragment = Path.folder(of: place.configPath) + "/ssh_config"
        record = place.paths.anchorFolder + "/ssh-setup.json"
    }

    /// The line that stands in `config`.
    var line: IncludeLine { IncludeLine(file: fragment, home: accountHome) }

    /// A path as it stands in settings of ssh: with `~` where that means the same.
    func short(_ path: String) -> String {
        path.hasPrefix(accountHome + "/") ? "~" + path.dropFirst(accountHome.count) : path
    }

    /// A path without slashes at its end.
    private static func trimmed(_ path: String) -> String {
        path.lastIndex { $0 != "/" }.map { String(path[...$0]) } ?? ""
    }

    private static func resolved(_ path: String) -> String? {
        guard let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    private static func homeOfAccount() -> String? {
        guard let account = unsafe getpwuid(geteuid()), let folder = unsafe account.pointee.pw_dir else {
            return nil
        }
        let path = unsafe String(cString: folder)
        return path.hasPrefix("/") ? path : nil
    }
}

extension Context {
    /// Where ssh's settings are.
    func sshPlaces() throws(Failure) -> SSHPlaces {
        try SSHPlaces(try place(), environment)
    }
}
