/// What an import does about credentials that are there already.
public struct CredentialImportRules: Sendable, Hashable, Codable {
    /// What happens to one whose name another credential has.
    public enum Taken: String, Sendable, Hashable, Codable, CaseIterable {
        /// It is left out, and named.
        case leave
        /// It gets another name like it.
        case rename
        /// It becomes the newest version of the one that is there; of another kind, it gets another name.
        case addVersion
    }

    /// What happens to one whose name another credential has, which is not the same.
    public var taken = Taken.leave
    /// What happens to an SSH key whose name another key has.
    ///
    /// By `addVersion` it takes the name, and the one that had it is kept as retired. A key is often the only one of its
    /// kind, so without a word it is not left behind.
    public var takenKeys = Taken.rename
    /// What happens to a host profile whose name another one has.
    ///
    /// By `addVersion` that one gets what this one says, as does the same profile when it says something else here.
    public var takenHosts = Taken.leave
    /// Whether one with the address and the user of another credential is left out, too.
    public var leavesTwins = false

    /// Nothing that is there is touched.
    public init() {}
}

/// What became, or would become, of one credential of an import.
public struct CredentialImportOutcome: Sendable, Hashable, Codable {
    /// What was done.
    public enum Act: String, Sendable, Hashable, Codable {
        /// It is in the vault under its own name.
        case added
        /// It is in the vault under another name, because its own was taken.
        case renamed
        /// It is the newest version of what had its name.
        case versioned
        /// The same was in the trash under its name, and is out of it.
        case restored
        /// The same was there before, under its name.
        case known
        /// Its name is taken by another one, so it was left out.
        case nameTaken
        /// Another one has its address and its user, so it was left out.
        case twin
    }

    /// The name that it came with.
    public let given: String
    /// The name that it has in the vault, or would have had.
    public let name: String
    /// What was done.
    public let act: Act
    /// The first other credential with the same address and user; nil for none.
    public let twin: String?

    /// What became of one.
    package init(given: String, name: String, act: Act, twin: String?) {
        self.given = given
        self.name = name
        self.act = act
        self.twin = twin
    }

    /// Whether it is in the vault now because of this import.
    public var isStored: Bool { [.added, .renamed, .versioned, .restored].contains(act) }
}

extension CredentialImportOutcome {
    /// Brief, as there may be a hundred thousand of them in one answer of the agent, given when all was done.
    private enum CodingKeys: String, CodingKey {
        case given = "g"
        case name = "n"
        case act = "a"
        case twin = "t"
    }

    /// Decodes it; without a name of its own it is the one that it came with.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        given = try container.decode(String.self, forKey: .given)
        name = try container.decodeIfPresent(String.self, forKey: .name) ?? given
        act = try container.decode(Act.self, forKey: .act)
        twin = try container.decodeIfPresent(String.self, forKey: .twin)
    }

    /// Encodes it.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(given, forKey: .given)
        if name != given { try container.encode(name, forKey: .name) }
        try container.encode(act, forKey: .act)
        try container.encodeIfPresent(twin, forKey: .twin)
    }
}
