public import VaultCrypto

/// The answer to a request for a value.
public struct CredentialValue: Sendable {
    /// The facts about a value, without the value.
    package struct Head: Sendable {
        let reference: CredentialReference
        let kind: CredentialKind
        let expires: UInt64?
        /// Time when a sync gave the name to another credential.
        var renamedAt: UInt64?
    }

    package let head: Head
    /// The value.
    public let value: Secret

    /// The credential, field and version of the value.
    public var reference: CredentialReference { head.reference }
    /// The kind of the credential.
    public var kind: CredentialKind { head.kind }
    /// Expiry of the credential, Unix seconds.
    public var expires: UInt64? { head.expires }

    /// Time when a sync gave the name to another credential than it meant on this machine before, Unix seconds.
    ///
    /// Nil if no sync did, or after a person settled it.
    public var renamedAt: UInt64? { head.renamedAt }

    /// Makes a value of the vault.
    package init(
        reference: CredentialReference,
        kind: CredentialKind,
        expires: UInt64?,
        renamedAt: UInt64?,
        value: Secret
    ) {
        self.init(Head(reference: reference, kind: kind, expires: expires, renamedAt: renamedAt), value)
    }

    /// Joins a value with the facts about it.
    package init(_ head: Head, _ value: Secret) {
        self.head = head
        self.value = value
    }

    /// Returns the value for a program whose user sees no warnings.
    ///
    /// - Throws: `nameMeansOther`.
    public func settled() throws(CredentialError) -> CredentialValue {
        guard renamedAt == nil else { throw .nameMeansOther }
        return self
    }

    /// Whether the credential has expired at a time, Unix seconds.
    public func isExpired(at second: UInt64) -> Bool { expires.map { $0 <= second } ?? false }
}

extension CredentialValue.Head: Codable {
    package init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        reference = try list.decode(CredentialReference.self)
        kind = try list.decode(CredentialKind.self)
        expires = try list.decodeNil() ? nil : try list.decode(UInt64.self)
        renamedAt = try list.decodeNil() ? nil : try list.decode(UInt64.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode(reference)
        try list.encode(kind)
        if let expires { try list.encode(expires) } else { try list.encodeNil() }
        if let renamedAt { try list.encode(renamedAt) } else { try list.encodeNil() }
    }
}

/// One value of one credential: its name, the field, and the version.
public struct CredentialReference: Hashable, Sendable {
    /// The name of the credential.
    public var name: String
    /// The field; nil for the main field of the kind.
    public var field: String?
    /// The number of the version; nil for the current version.
    public var version: UInt32?

    /// Makes a reference.
    public init(_ name: String, field: String? = nil, version: UInt32? = nil) {
        self.name = name
        self.field = field
        self.version = version
    }
}

extension CredentialReference {
    /// Converts a written reference, which always means the current version.
    public init(_ reference: Reference) {
        self.init(reference.name, field: reference.field)
    }
}

// This is a list, not a map, like every type that is decoded to read one secret. The keys of a map are a type, and
// looking up its conformances needs more time than all other decoding.
extension CredentialReference: Codable {
    /// Encodes name, field and version, as a list.
    public func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode(name)
        if let field { try list.encode(field) } else { try list.encodeNil() }
        if let version { try list.encode(version) } else { try list.encodeNil() }
    }

    /// Decodes name, field and version.
    ///
    /// - Throws: `CredentialError.malformed` for a longer list; the decoder's errors for anything else.
    public init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        name = try list.decode(String.self)
        field = try list.decodeNil() ? nil : try list.decode(String.self)
        version = try list.decodeNil() ? nil : try list.decode(UInt32.self)
        guard list.isAtEnd else { throw CredentialError.malformed }
    }
}

/// The kind of a credential, which determines the main field.
public enum CredentialKind: UInt8, CaseIterable, Sendable, Codable {
    /// A login: user, password and related fields.
    case login
    /// A single secret value for access: an API key, a personal access token.
    case token
    /// Text of any kind.
    case note
    /// The bytes of a file.
    case file

    /// The word for the kind on the command line and in JSON.
    public var word: String {
        switch self {
        case .login: "login"
        case .token: "token"
        case .note: "note"
        case .file: "file"
        }
    }

    /// Finds the kind of a word; nil for an unknown word.
    public init?(word: String) {
        guard let kind = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = kind
    }

    /// The main field, used if no field is named.
    public var mainField: String {
        switch self {
        case .login: CredentialField.password
        case .token: CredentialField.token
        case .note: CredentialField.text
        case .file: CredentialField.content
        }
    }
}
