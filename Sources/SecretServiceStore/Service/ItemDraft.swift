package import VaultCrypto

/// An item to be made.
package struct ItemDraft: Sendable {
    /// Its name for people.
    package var label: String
    /// What it is found by, `xdg:schema` included.
    package var attributes: [String: String]
    /// Its secret: text, or any bytes.
    package var secret: Secret

    package init(label: String, attributes: [String: String], secret: Secret) {
        self.label = label
        self.attributes = attributes
        self.secret = secret
    }
}
