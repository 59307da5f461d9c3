/// A change of a key; nil keeps the present value.
public struct KeyChange: Sendable, Codable {
    /// The new name in the vault.
    public var name: String?
    /// The new comment.
    public var comment: [UInt8]?
    /// Whether the owner must confirm each use.
    public var needsConfirmation: Bool?
    /// The seconds for which an agent keeps the key; 0 for no limit.
    public var lifetime: UInt32?
    /// The hosts that the key may be used for; empty for any host.
    public var hosts: [String]?
    /// The namespaces under which the key may sign; empty for no namespace.
    public var namespaces: [String]?
    /// Whether the key stays on this machine.
    public var isLocal: Bool?
    /// Whether to remove expired certificates.
    public var dropsExpired = false
    /// Whether to remove certificates without a valid signature of their CA.
    public var dropsUnsigned = false

    /// Makes a change of nothing.
    public init() {}

    /// Applies the change, except the name, to a record.
    package func apply(to record: inout KeyRecord, at second: UInt64) {
        if let comment { record.key.comment = comment }
        if let needsConfirmation { record.use.needsConfirmation = needsConfirmation }
        if let lifetime { record.use.lifetime = lifetime }
        if let hosts { record.use.hosts = hosts }
        if let namespaces { record.use.namespaces = namespaces }
        if let isLocal { record.use.isLocal = isLocal }
        if dropsExpired { record.dropCertificates(pastAt: second) }
        if dropsUnsigned { record.dropUnsignedCertificates() }
    }

    /// The changes besides the name, one line for each.
    package var facts: [String] {
        var facts: [String] = []
        if let comment { facts.append("Comment: \(String(decoding: comment, as: UTF8.self))") }
        if let needsConfirmation {
            facts.append(needsConfirmation ? "A question before each use" : "No question before each use")
        }
        switch lifetime {
        case 0?: facts.append("Kept by the agent for as long as the vault is open")
        case let seconds?: facts.append("Kept by the agent for \(seconds) seconds")
        case nil: break
        }
        if let hosts {
            facts += hosts.isEmpty ? ["For every host"] : hosts.map { "Only for the host: \($0)" }
        }
        if let namespaces {
            facts +=
                namespaces.isEmpty
                ? ["For no files and commits"] : namespaces.map { "For files and commits of kind: \($0)" }
        }
        if let isLocal {
            facts.append(isLocal ? "Only on this machine" : "Shared with the owner's other machines")
        }
        if dropsExpired { facts.append("Without expired certificates") }
        if dropsUnsigned { facts.append("Without certificates that no CA has signed") }
        return facts
    }
}

/// An import into the vault: a new key with its preferred name, or new certificates for an existing key.
public struct KeyImport: Sendable, Codable {
    /// What comes.
    public enum Content: Sendable, Codable {
        /// A new key, with its origin.
        case key(KeyRecord)
        /// A key that the vault has outside its trash, and certificates for it; the private half is not needed.
        case present(PublicKey, certificates: [PublicKey])
    }

    /// What comes.
    public var content: Content
    /// The preferred name; if it exists, a similar one is used, unless `insists`.
    public var name: String
    /// Whether the import fails if the name exists.
    public var insists: Bool

    /// Makes the import of a new key.
    public init(_ record: KeyRecord, named name: String, insists: Bool = false) {
        content = .key(record)
        self.name = name
        self.insists = insists
    }

    /// Makes an import for a key that the vault has, found by its public half; the name is only shown to people.
    public init(present key: PublicKey, certificates: [PublicKey] = [], named name: String) {
        content = .present(key.plain, certificates: certificates)
        self.name = name
        insists = false
    }
}
