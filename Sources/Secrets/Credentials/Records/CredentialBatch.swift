public import VaultCrypto

/// Thousands of credentials for an import or export; each is stored as packed bytes only.
public struct CredentialBatch: Sendable, Codable {
    /// A credential of the batch.
    public struct Item: Sendable {
        /// The name of the credential, or its preferred name.
        public let name: String
        /// The content of the credential.
        public let content: Secret

        /// Reads the credential.
        ///
        /// - Throws: the errors of `Credential.init(content:)`.
        public func credential() throws(CredentialError) -> Credential { try Credential(content: content) }
    }

    /// Credentials in the largest batch; a larger import has no benefit from a single commit.
    public static let maximum = 100_000

    private var names: [String] = []
    private var contents = SecretPack()

    /// Makes an empty batch.
    public init() {}

    /// The number of credentials.
    public var count: Int { names.count }

    /// Adds a credential under a name; names may repeat.
    ///
    /// - Throws: `CredentialError.badName`; `tooMuch`; `outOfMemory`.
    public mutating func append(_ credential: Credential, named name: String) throws(CredentialError) {
        try append(try credential.content(), named: name)
    }

    /// Adds a credential of another batch.
    public mutating func append(_ item: Item) throws(CredentialError) {
        try append(item.content, named: item.name)
    }

    /// Adds a content that was read from a record.
    package mutating func append(_ content: Secret, named name: String) throws(CredentialError) {
        guard CredentialName.isValid(name) else { throw .badName }
        guard names.count < Self.maximum else { throw .tooMuch(limit: Self.maximum) }
        try contents.append(content)
        names.append(name)
    }

    /// All credentials, in the order in which they were added.
    ///
    /// - Throws: `CredentialError.malformed`; `outOfMemory`.
    public func items() throws(CredentialError) -> [Item] {
        let contents = try contents.secrets()
        guard contents.count == names.count else { throw .malformed }
        return zip(names, contents).map { Item(name: $0, content: $1) }
    }
}

/// The rules for a credential's name: any line of text, so that a name from another program can be kept.
///
/// The store also checks the rules of record names: normalisation form C of Unicode.
public enum CredentialName {
    /// Bytes in the longest name; a rule of the policy can name a little more.
    public static let longest = 248

    /// Whether a name is valid: 1 to 248 bytes without control characters, and without blanks at either end.
    public static func isValid(_ name: String) -> Bool { PlainText.isLine(name, longest: longest) }
}
