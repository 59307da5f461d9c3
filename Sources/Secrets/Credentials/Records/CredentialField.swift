public import VaultCrypto

/// A named value of a credential, as exact bytes of any kind.
public struct CredentialField: Sendable {
    /// The name of the password; it is the main field of a login.
    public static let password = "password"
    /// The name of the value of a token.
    public static let token = "token"
    /// The name of the value of a note.
    public static let text = "text"
    /// The name of the value of a file.
    public static let content = "content"
    /// The name of the user to log in as.
    public static let user = "user"
    /// The name of the address of the login page.
    public static let url = "url"
    /// The name of the key that makes one-time passwords.
    public static let totp = "totp"

    /// Bytes in the longest name; names come from the forms of other programs, where people write sentences.
    public static let longestName = 128
    /// Bytes in the longest value, 1 MiB: a value must fit into one frame of the agent's socket.
    public static let longestValue = 1 << 20

    /// The name of the field.
    public let name: String
    /// The value of the field.
    public let value: Secret

    /// Makes a field.
    ///
    /// - Throws: `CredentialError.badField`; `valueTooLong`.
    public init(_ name: String, _ value: Secret) throws(CredentialError) {
        guard Self.isName(name) else { throw .badField }
        guard value.count <= Self.longestValue else { throw .valueTooLong(limit: Self.longestValue) }
        self.name = name
        self.value = value
    }

    /// Makes a field from a text.
    public init(_ name: String, text: String) throws(CredentialError) {
        let value: Secret
        do throws(CryptoError) {
            value = try Secret(copying: Array(text.utf8))
        } catch {
            throw .outOfMemory
        }
        try self.init(name, value)
    }

    /// Whether a name is valid: 1 to 128 bytes without control characters, and without blanks at either end.
    ///
    /// Case is significant: `PIN` and `pin` are two fields.
    public static func isName(_ name: String) -> Bool { PlainText.isLine(name, longest: longestName) }
}
