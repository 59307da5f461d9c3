package import VaultCrypto

/// An item to be made.
package struct ItemDraft: Sendable {
    /// Its name for people.
    package var label: String
    /// What it is found by, `xdg:schema` included.
    package var attributes: [String: String]
    /// Its secret: text, or any bytes.
    package var secret: Secret
    /// The content type of the secret; nil for `text/plain` or `application/octet-stream`, by what it is.
    package var contentType: String?

    package init(
        label: String,
        attributes: [String: String],
        secret: Secret,
        contentType: String? = nil
    ) {
        self.contentType = contentType
        self.label = label
        self.attributes = attributes
        self.secret = secret
    }
}
