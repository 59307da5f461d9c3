/// The result of importing a known_hosts file.
public struct KnownHostsImport: Hashable, Sendable, Codable {
    /// The treatment of a line with another key for a known name.
    public enum Conflicts: Hashable, Sendable, Codable {
        /// Skip the line.
        case leave
        /// Import the line; both keys are trusted then.
        case add
        /// Import the line; the name's former keys become history.
        case replace
    }

    /// A line with another key for a known name.
    public struct Conflict: Hashable, Sendable, Codable {
        /// The number of the line, from 1.
        public let line: Int
        /// The known name, `host` or `[host]:port`.
        public let name: String
        /// The key in the file.
        public let offered: PublicKey
        /// The trusted keys of the name.
        public let trusted: [PublicKey]
        /// Whether the file also has a trusted key for this name.
        ///
        /// The offered key may then be another key of the same machine. That proves nothing: trusted keys are
        /// public.
        public let isAdditional: Bool
    }

    /// Lines about hosts that were added to the vault.
    public internal(set) var added = 0
    /// Revocations among the added lines.
    public internal(set) var revocations = 0
    /// Keys of host authorities among the added lines.
    public internal(set) var authorities = 0
    /// Numbers, from 1, of added lines that count for hosts which they do not name one by one: authorities,
    /// and keys with wildcards.
    public internal(set) var wide: [Int] = []
    /// Added keys under hashed names beside other keys, with which they cannot be compared.
    public internal(set) var uncompared = 0
    /// Lines that the vault had already.
    public internal(set) var known = 0
    /// Comments and blank lines that were added.
    public internal(set) var comments = 0
    /// Numbers, from 1, of unreadable lines that were added unchanged.
    public internal(set) var unknown: [Int] = []
    /// Lines with another key for a known name; with `leave` these lines were skipped.
    public internal(set) var conflicts: [Conflict] = []

    /// A result without any line.
    public init() {}

    /// Whether the import changed the vault.
    public var isChange: Bool { added + comments + unknown.count > 0 }
}
