/// The rules of an import for credentials, keys and hosts whose names exist.
public struct CredentialImportRules: Sendable, Hashable, Codable {
    /// The treatment of a name that exists.
    public enum ExistingName: String, Sendable, Hashable, Codable, CaseIterable {
        /// Leave the imported record out, and report it.
        case leave
        /// Import the record under a similar name.
        case rename
        /// Import the record as the newest version of the existing one; if the kinds differ, rename it.
        case addVersion
    }

    /// The treatment of a credential whose name a different credential has.
    public var taken = ExistingName.leave
    /// The treatment of an SSH key whose name another key has.
    ///
    /// With `addVersion` the imported key gets the name, and the existing key is kept as retired. By default every
    /// imported key is kept, because a key is often the only copy.
    public var takenKeys = ExistingName.rename
    /// The treatment of a host profile whose name another profile has.
    ///
    /// With `addVersion` the imported values replace the values of the existing profile. They also replace the values of an
    /// equal profile that was changed in this vault.
    public var takenHosts = ExistingName.leave
    /// Whether to leave out credentials with the address and user of another one.
    public var leavesTwins = false

    /// The default rules: existing credentials and hosts stay, imported keys get free names.
    public init() {}
}

/// The outcome of an import for one credential, done or simulated.
public struct CredentialImportOutcome: Sendable, Hashable, Codable {
    /// The change that the import made.
    public enum Act: String, Sendable, Hashable, Codable {
        /// The credential was added under its own name.
        case added
        /// The credential was added under another name, because its own exists.
        case renamed
        /// The credential became the newest version of the credential with its name.
        case versioned
        /// An equal credential of this name was in the trash and is restored.
        case restored
        /// An equal credential of this name existed before.
        case known
        /// Another credential has the name, so this one was left out.
        case nameTaken
        /// Another credential has the same address and user, so this one was left out.
        case twin
    }

    /// The name in the import.
    public let given: String
    /// The name in the vault; for an omitted credential, the name that it would have had.
    public let name: String
    /// The change that the import made.
    public let act: Act
    /// The first other credential with the same address and user; nil for none.
    public let twin: String?

    /// Makes the outcome for one credential.
    package init(given: String, name: String, act: Act, twin: String?) {
        self.given = given
        self.name = name
        self.act = act
        self.twin = twin
    }

    /// Whether the import changed the vault for this credential.
    public var isStored: Bool { [.added, .renamed, .versioned, .restored].contains(act) }
}

extension CredentialImportOutcome {
    /// Short keys, because one answer of the agent may have a hundred thousand outcomes.
    private enum CodingKeys: String, CodingKey {
        case given = "g"
        case name = "n"
        case act = "a"
        case twin = "t"
    }

    /// Decodes an outcome; a missing `name` equals `given`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        given = try container.decode(String.self, forKey: .given)
        name = try container.decodeIfPresent(String.self, forKey: .name) ?? given
        act = try container.decode(Act.self, forKey: .act)
        twin = try container.decodeIfPresent(String.self, forKey: .twin)
    }

    /// Encodes an outcome.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(given, forKey: .given)
        if name != given { try container.encode(name, forKey: .name) }
        try container.encode(act, forKey: .act)
        try container.encodeIfPresent(twin, forKey: .twin)
    }
}
