internal import Console
internal import FileStore
internal import Programs

/// Which vault is meant, and where it lies: by name in the user's data folder, or by path.
struct VaultPlace: Equatable {
    /// Its name; nil when it was given as a path.
    let name: String?
    /// Its file and the folder of its anchor.
    let paths: VaultPaths
    /// The file that remembers which vaults there are: `$XDG_CONFIG_HOME/hsip/config.json`.
    let configPath: String

    /// The vault of `--vault` or `$HSIP_VAULT`; a value with a slash is a path; `vault` by default.
    init(_ chosen: String?, _ environment: Environment) throws(Failure) {
        let value = chosen ?? environment["HSIP_VAULT"] ?? "vault"
        let names = ["HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"]
        var variables: [String: String] = [:]
        for name in names { variables[name] = environment[name] }
        let isPath = value.contains("/")
        guard let standard = VaultPaths.standard(name: isPath ? "vault" : value, environment: variables),
            let config = Self.config(variables)
        else { throw Self.refusal(of: value, hasHome: variables["HOME"]?.hasPrefix("/") == true) }
        configPath = config
        name = isPath ? nil : value
        paths =
            isPath
            ? VaultPaths(vault: try AbsolutePath.of(value), anchorFolder: standard.anchorFolder) : standard
    }

    /// The vault file.
    var file: String { paths.vault }

    /// What the vault is called in `config.json`, and in what is said about it.
    var key: String { name ?? paths.vault }

    private static func config(_ variables: [String: String]) -> String? {
        // The XDG rules: a value that is not an absolute path does not count.
        if let folder = variables["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
            return folder + "/hsip/config.json"
        }
        guard let home = variables["HOME"], home.hasPrefix("/") else { return nil }
        return home + "/.config/hsip/config.json"
    }

    private static func refusal(of value: String, hasHome: Bool) -> Failure {
        guard hasHome else {
            return Failure(
                .unavailable,
                code: "unavailable",
                message: "$HOME is not set to an absolute path",
                hint: "--vault ./NAME.hsipvault and $XDG_STATE_HOME"
            )
        }
        return Failure(
            .usage,
            code: "usage",
            message: "a vault's name is not empty and does not begin with a dot",
            hint: "--vault ./NAME.hsipvault  for a path"
        )
    }
}
