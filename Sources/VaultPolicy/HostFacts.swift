/// What a verdict needs to know of the server at the other end.
public struct HostFacts: Hashable, Sendable {
    /// What the vault says about the server's key.
    public enum Status: String, Hashable, Sendable, CaseIterable {
        /// It is trusted under at least one name.
        case known
        /// The vault has never seen it.
        case unknown
        /// The name that is meant has another key here.
        case changed
        /// Its owner, or the person here, took it back.
        case revoked
    }

    /// The names under which the key is known; none when it is not.
    public let names: [String]
    /// The names of the profiles that lead there.
    public var profiles: [String] = []
    /// The fingerprint of the server's key, `SHA256:…`.
    public let fingerprint: String
    /// What the vault says about it.
    public let status: Status
    /// Since when it is known, Unix seconds; nil where that was not noted.
    ///
    /// For display only.
    public let knownSince: UInt64?

    /// What is known of a server.
    public init(names: [String], fingerprint: String, status: Status, knownSince: UInt64? = nil) {
        self.names = names
        self.fingerprint = fingerprint
        self.status = status
        self.knownSince = knownSince
    }
}
