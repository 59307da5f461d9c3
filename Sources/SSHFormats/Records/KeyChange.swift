/// A change of a key; nil keeps a part as it is.
public struct KeyChange: Sendable, Codable {
    /// The new name in the vault.
    public var name: String?
    /// The new comment.
    public var comment: [UInt8]?
    /// Whether its owner is asked before each use.
    public var needsConfirmation: Bool?
    /// Seconds for which an agent keeps it; 0 for no limit.
    public var lifetime: UInt32?
    /// The hosts it is for; empty for any.
    public var hosts: [String]?
    /// The namespaces under which it signs; empty for none.
    public var namespaces: [String]?
    /// Whether it stays on this machine.
    public var isLocal: Bool?
    /// Whether certificates that are past their time are removed.
    public var dropsExpired = false
    /// Whether certificates are removed that their CA has not signed.
    public var dropsUnsigned = false

    /// No change.
    public init() {}

    /// Puts the change into effect.
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

/// A key on its way into the vault, with the name it would like; or what comes to one that is there.
public struct KeyImport: Sendable, Codable {
    /// What comes.
    public enum Content: Sendable, Codable {
        /// A key, and where it came from.
        case key(KeyRecord)
        /// A key that the vault has, and not in its trash, and certificates of it; the private half is not needed.
        case present(PublicKey, certificates: [PublicKey])
    }

    /// What comes.
    public var content: Content
    /// The preferred name; if it exists, a similar one is used, unless `insists`.
    public var name: String
    /// Whether the import fails if the name exists.
    public var insists: Bool

    /// A key to import.
    public init(_ record: KeyRecord, named name: String, insists: Bool = false) {
        content = .key(record)
        self.name = name
        self.insists = insists
    }

    /// A key that the vault has, found by its public half; the name is for people.
    public init(present key: PublicKey, certificates: [PublicKey] = [], named name: String) {
        content = .present(key.plain, certificates: certificates)
        self.name = name
        insists = false
    }
}
