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

    /// Makes an empty bundle.
    public init() {}

    /// The number of records; lines of known hosts do not count.
    public var count: Int { secrets.count + hosts.count + keyNames.count }

    /// The imported facts that later verdicts depend on, one line for each.
    var facts: [String] {
        keyNames.map { "SSH key: \($0)" } + hosts.map(\.fact) + KnownHostsFile(knownHosts).hosts.map(\.fact)
    }

    /// Adds an SSH key, as the content of its record.
    ///
    /// - Throws: `outOfMemory`, as `secret`.
    public mutating func addKey(_ content: Secret, named name: String) throws(VaultError) {
        try asVaultError { try keyContents.append(content) }
        keyNames.append(name)
    }

    /// Reads the SSH keys.
    ///
    /// - Throws: the errors of `KeyRecord`; `malformedCall`.
    func keys() throws -> [KeyImport] {
        let contents = try keyContents.secrets()
        guard contents.count == keyNames.count else { throw VaultError.malformedCall }
        return try zip(keyNames, contents).map { name, content in
            var record = try KeyRecord(content: content)
            record.removedAt = nil
            // A bad certificate in an old export must not prevent the rest of the import.
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
            /// The imported key got the name of an existing key, or the values replaced those in an existing profile.
            ///
            /// The existing key is kept as retired under another name.
            case updated
            /// The record was in the trash and is restored.
            case restored
            /// An equal record existed before.
            case known
            /// Another record has the name, so this record was left out.
            case nameTaken
        }

        /// The name in the import.
        public let given: String
        /// The name in the vault.
        public let name: String
        /// The change that the import made.
        public let act: Act

        /// Whether the import changed the vault for this record.
        public var isStored: Bool { [.added, .renamed, .updated, .restored].contains(act) }
    }

    /// The outcome of each secret, in their order.
    public internal(set) var secrets: [CredentialImportOutcome] = []
    /// The outcome of each SSH key.
    public internal(set) var keys: [Part] = []
    /// The outcome of each host profile.
    public internal(set) var hosts: [Part] = []
    /// The number of new lines of known hosts.
    public internal(set) var knownHosts = 0
    /// The number of lines left out because the vault has another key for the host.
    public internal(set) var conflicts = 0
}
