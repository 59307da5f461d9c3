public import VaultCrypto

/// A named value of a credential: exact bytes, of any kind.
public struct CredentialField: Sendable {
    /// The value of a login that is meant when no field is named.
    public static let password = "password"
    /// The value of a token.
    public static let token = "token"
    /// The value of a note.
    public static let text = "text"
    /// The value of a file.
    public static let content = "content"
    /// The user to log in as.
    public static let user = "user"
    /// Where to log in.
    public static let url = "url"
    /// What codes that change by the minute are made from.
    public static let totp = "totp"

    /// Bytes in the longest name; names come from other programs' forms, where people write sentences.
    public static let longestName = 128
    /// Bytes in the longest value, 1 MiB: it has to fit into one frame of the agent's socket.
    public static let longestValue = 1 << 20

    /// The name of the field.
    public let name: String
    /// The value of the field.
    public let value: Secret

    /// A field.
    ///
    /// - Throws: `CredentialError.badField`; `valueTooLong`.
    public init(_ name: String, _ value: Secret) throws(CredentialError) {
        guard Self.isName(name) else { throw .badField }
        guard value.count <= Self.longestValue else { throw .valueTooLong(limit: Self.longestValue) }
        self.name = name
        self.value = value
    }

    /// A field with a text.
    public init(_ name: String, text: String) throws(CredentialError) {
        let value: Secret
        do throws(CryptoError) {
            value = try Secret(copying: Array(text.utf8))
        } catch {
            throw .outOfMemory
        }
        try self.init(name, value)
    }

    /// 1 to 128 bytes without control characters and without blanks at either end.
    ///
    /// Case matters: `PIN` and `pin` are two fields.
    public static func isName(_ name: String) -> Bool { PlainText.isLine(name, longest: longestName) }
}
