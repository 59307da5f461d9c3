public import SSHFormats
public import Secrets
public import VaultCrypto

/// The content of an export for another vault, imported in one commit.
public struct VaultBundle: Sendable, Codable {
    /// Passwords, tokens, notes and files.
    public var secrets = CredentialBatch()
    /// Host profiles.
    public var hosts: [NewHost] = []
    /// The lines of a known_hosts file.
    public var knownHosts: [UInt8] = []
    private var keyNames: [String] = []
    private var keyContents = SecretPack()

    /// Nothing.
    public init() {}

    /// How many things there are; the lines of known hosts do not count.
    public var count: Int { secrets.count + hosts.count + keyNames.count }

    /// The imported facts that later verdicts depend on, one line for each.
    var facts: [String] {
        keyNames.map { "SSH key: \($0)" } + hosts.map(\.fact) + KnownHostsFile(knownHosts).hosts.map(\.fact)
    }

    /// Adds an SSH key by the content of its record.
    ///
    /// - Throws: `outOfMemory`, as `secret`.
    public mutating func addKey(_ content: Secret, named name: String) throws(VaultError) {
        try asVaultError { try keyContents.append(content) }
        keyNames.append(name)
    }

    /// The SSH keys, read.
    ///
    /// - Throws: what `KeyRecord` refuses; `malformedCall`.
    func keys() throws -> [KeyImport] {
        let contents = try keyContents.secrets()
        guard contents.count == keyNames.count else { throw VaultError.malformedCall }
        return try zip(keyNames, contents).map { name, content in
            var record = try KeyRecord(content: content)
            record.removedAt = nil
            // A bad certificate in an old export does not spoil the rest.
            record.dropUnsignedCertificates()
            return KeyImport(record, named: name)
        }
    }
}

/// The result, or the expected result, of importing an export into a vault.
public struct VaultBundleOutcome: Sendable, Hashable, Codable {
    /// The outcome of an import for an SSH key or a host profile.
    public struct Part: Sendable, Hashable, Codable {
        /// The change that the import made.
        public enum Act: String, Sendable, Hashable, Codable {
            /// The record was added under its own name.
            case added
            /// The record was added under another name, because its own exists.
            case renamed
            /// A key has the name of another one, which is kept as retired under another name; a profile that was there
            /// says now what this one says.
            case updated
            /// It was in the trash and is out of it.
            case restored
            /// It was there before.
            case known
            /// Another one already has its name, so it was left out.
            case nameTaken
        }

        /// The name that it came with.
        public let given: String
        /// The name that it has in the vault.
        public let name: String
        /// The change that the import made.
        public let act: Act

        /// Whether the import changed the vault for this record.
        public var isStored: Bool { [.added, .renamed, .updated, .restored].contains(act) }
    }

    /// Of each secret, in their order.
    public internal(set) var secrets: [CredentialImportOutcome] = []
    /// Of each SSH key.
    public internal(set) var keys: [Part] = []
    /// Of each host profile.
    public internal(set) var hosts: [Part] = []
    /// Lines of known hosts that are new.
    public internal(set) var knownHosts = 0
    /// Lines that say another key than the vault does, and were left out.
    public internal(set) var conflicts = 0
}
