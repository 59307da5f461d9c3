public import SSHFormats

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
    /// The name; another one like it is taken when it is not to be had, unless `insists`.
    public var name: String
    /// Whether only this name will do.
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

/// What became of a key that was to be imported.
public enum KeyImportOutcome: Sendable, Hashable, Codable {
    /// It is in the vault now; it was read back, and is the same.
    case stored(KeySummary)
    /// It was in the vault before; nothing but new certificates was added.
    case known(KeySummary, newCertificates: Int)
    /// It was in the trash and is out of it, as it was; nothing but new certificates was added.
    case restored(KeySummary, newCertificates: Int)

    /// The key, as it is now.
    public var key: KeySummary {
        switch self {
        case .stored(let key), .known(let key, _), .restored(let key, _): key
        }
    }
}
