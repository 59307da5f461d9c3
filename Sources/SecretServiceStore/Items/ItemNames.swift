/// The names that items are found by (Schemas/secret-service.md section 1).
enum ItemNames {
    /// Attribute: which of the schemas below an item follows.
    static let schema = "xdg:schema"
    /// Attribute: the id of the vault, 32 hexadecimal digits.
    static let vault = "vault"
    /// Attribute: the kind of a record.
    static let kind = "kind"
    /// Attribute: the name of a record within its kind, or what a vault is called.
    static let name = "name"
    /// Attribute of a record: how secret and attributes are to be read, `ItemForm`.
    static let form = "form"
    /// Attribute of a plain record: the meta content in base64.
    static let meta = "hsip:meta"
    /// Attribute of a plain record without a body: `1`.
    static let empty = "hsip:empty"

    /// Attribute of an item that was set aside: the id of the vault that it was found in.
    static let aside = "aside"

    static let recordSchema = "io.hsip.vault.Record"
    static let headerSchema = "io.hsip.vault.Header"
    static let redoSchema = "io.hsip.vault.Redo"
    static let asideSchema = "io.hsip.vault.Aside"

    /// Whether an attribute of a record may not be copied under its name.
    static func isReserved(_ attribute: String) -> Bool {
        [vault, kind, name, form].contains { $0.utf8.elementsEqual(attribute.utf8) }
            || attribute.utf8.starts(with: "xdg:".utf8) || attribute.utf8.starts(with: "hsip:".utf8)
    }
}
