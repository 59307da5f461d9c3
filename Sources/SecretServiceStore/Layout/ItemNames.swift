/// The names that items are found by (Schemas/keyring-vault.md section 1).
enum ItemNames {
    /// Attribute: which of the schemas below an item follows.
    static let schema = "xdg:schema"
    /// Attribute: the id of the vault, 32 hexadecimal digits.
    static let vault = "vault"
    /// Attribute: the id of a page, 16 hexadecimal digits.
    static let page = "page"
    /// Attribute: the kind of a record.
    static let kind = "kind"
    /// Attribute: the name of a record within its kind, or what a vault is called.
    static let name = "name"
    /// Attribute of an item that was set aside: the id of the vault that it was found in.
    static let aside = "aside"
    /// Attribute of the key of the root's copy: the id of the vault.
    static let copied = "hsip:copied"
    /// Attribute of the key of the root's copy: what the vault is called.
    static let called = "hsip:called"

    /// What every schema of the program begins with.
    static let prefix = "io.hsip."
    static let rootSchema = "io.hsip.vault.Header"
    static let pageSchema = "io.hsip.vault.Page"
    static let copySchema = "io.hsip.vault.Secret"
    static let asideSchema = "io.hsip.vault.Aside"
    static let rootKeySchema = "io.hsip.vault.RootKey"

    /// Every schema of a vault's own items, the one that makes it a vault first.
    static let all = [rootSchema, pageSchema, copySchema]

    /// Whether an attribute of a record may not be copied under its name.
    static func isReserved(_ attribute: String) -> Bool {
        [vault, page, kind, name, aside].contains { $0.utf8.elementsEqual(attribute.utf8) }
            || attribute.utf8.starts(with: "xdg:".utf8) || attribute.utf8.starts(with: "hsip:".utf8)
    }
}
