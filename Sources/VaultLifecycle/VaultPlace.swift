package import FileStore
internal import RecordStore
package import System
internal import VaultCrypto

/// Names a vault and its location: by name in the user's data folder, or by path.
package struct VaultPlace: Equatable, Sendable {
    /// The name of the vault; nil if it was given as a path.
    package let name: String?
    /// Its file and the folder of its anchor.
    package let paths: VaultPaths
    /// The file that remembers which vaults there are: `$XDG_CONFIG_HOME/hsip/config.json`.
    package let configPath: String

    /// The vault of `--vault` or `$HSIP_VAULT`; a value with a slash is a path; `vault` by default.
    package init(_ chosen: String?, _ environment: Environment) throws(OpeningError) {
        let value = chosen ?? environment["HSIP_VAULT"] ?? "vault"
        let names = ["HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"]
        var variables: [String: String] = [:]
        for name in names { variables[name] = environment[name] }
        let isPath = value.contains("/")
        guard let standard = VaultPaths.standard(name: isPath ? "vault" : value, environment: variables),
            let config = Self.config(variables)
        else { throw variables["HOME"]?.hasPrefix("/") == true ? .badName : .noHome }
        configPath = config
        name = isPath ? nil : value
        paths =
            isPath
            ? VaultPaths(vault: try AbsolutePath.of(value), anchorFolder: standard.anchorFolder) : standard
    }

    /// The vault file.
    package var file: String { paths.vault }

    /// The name of the vault in `config.json` and in messages.
    package var key: String { name ?? paths.vault }

    private static func config(_ variables: [String: String]) -> String? {
        // The XDG rules: a value that is not an absolute path does not count.
        if let folder = variables["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
            return folder + "/hsip/config.json"
        }
        guard let home = variables["HOME"], home.hasPrefix("/") else { return nil }
        return home + "/.config/hsip/config.json"
    }
}

extension VaultPlace {
    /// Whether the file is an old copy of a vault that was moved away: the anchor has a later key epoch.
    package var isOldCopy: Bool {
        guard Path.exists(file), let overview = try? FileStore.overview(at: paths),
            let seen = try? Anchor(path: paths.anchor(overview.vaultID), vaultID: overview.vaultID).read()
        else { return false }
        return seen.position.epoch > overview.epoch
    }
}

extension VaultPlace {
    /// The folder of the public halves that are published, one `NAME.pub` each: `$XDG_STATE_HOME/hsip/ssh`.
    ///
    /// A vault of another name has a folder of its own below it.
    package var publicKeyFolder: String {
        let base = paths.anchorFolder + "/ssh"
        return switch name {
        case "vault": base
        case let name?: base + "/" + name
        case nil: base + "/at-" + Hex.encode(Array(Hash.sha256(Array(file.utf8)).prefix(8)))
        }
    }
}

extension VaultPlace {
    /// The folder of the audit logs: `$XDG_STATE_HOME/hsip/audit`.
    package var auditFolder: String { paths.anchorFolder + "/audit" }
}
