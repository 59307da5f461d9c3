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
