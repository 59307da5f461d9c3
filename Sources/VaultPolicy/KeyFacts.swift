/// What a verdict needs to know of an SSH key.
public struct KeyFacts: Hashable, Sendable {
    /// Its name in the vault, or the comment it was added with.
    public let name: String
    /// Its fingerprint, `SHA256:…`; what a rule or a remembered yes holds on to.
    public let fingerprint: String
    /// Its owner is asked before each use.
    public let needsConfirmation: Bool
    /// The namespaces under which it signs files; nil for a key that `ssh-add` brought for a session.
    public let namespaces: [String]?

    /// What is known of a key.
    public init(name: String, fingerprint: String, needsConfirmation: Bool, namespaces: [String]?) {
        self.name = name
        self.fingerprint = fingerprint
        self.needsConfirmation = needsConfirmation
        self.namespaces = namespaces
    }
}
