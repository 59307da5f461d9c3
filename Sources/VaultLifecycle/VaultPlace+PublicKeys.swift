internal import FileStore
internal import VaultCrypto

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
