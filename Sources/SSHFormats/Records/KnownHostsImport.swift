/// What became of a known_hosts file that was imported.
public struct KnownHostsImport: Hashable, Sendable, Codable {
    /// What to do about a name that is known with another key.
    public enum Conflicts: Hashable, Sendable, Codable {
        /// Nothing: the line is not taken.
        case leave
        /// Take the line; both keys are then good.
        case add
        /// Take the line; what was known of the name before becomes history.
        case replace
    }

    /// A line with another key for a known name.
    public struct Conflict: Hashable, Sendable, Codable {
        /// The number of the line, counted from 1.
        public let line: Int
        /// The known name, `host` or `[host]:port`.
        public let name: String
        /// The key in the file.
        public let offered: PublicKey
        /// The keys that are known.
        public let trusted: [PublicKey]
        /// Whether the file has one of the known keys for this name as well.
        ///
        /// The offered one may then be another key of the same machine. That proves nothing: known keys are public.
        public let isAdditional: Bool
    }

    /// Lines that say something of hosts and are now in the vault.
    public internal(set) var added = 0
    /// Of these, marks that a key must never be taken.
    public internal(set) var revocations = 0
    /// Of these, keys that certify hosts.
    public internal(set) var authorities = 0
    /// Numbers, from 1, of lines that speak for hosts which they do not name one by one, and are now in the vault:
    /// authorities, and keys behind wildcards.
    public internal(set) var wide: [Int] = []
    /// Keys behind hashed names that are now in the vault beside others, with which they cannot be compared.
    public internal(set) var uncompared = 0
    /// Lines that say nothing new.
    public internal(set) var known = 0
    /// Comments and blank lines that are now kept.
    public internal(set) var comments = 0
    /// Numbers, from 1, of lines that cannot be read and are now kept as they are.
    public internal(set) var unknown: [Int] = []
    /// Names with another key than the known one, line by line; with `leave` those lines were not taken.
    public internal(set) var conflicts: [Conflict] = []

    /// Nothing happened.
    public init() {}

    /// Whether it changed the vault.
    public var isChange: Bool { added + comments + unknown.count > 0 }
}
