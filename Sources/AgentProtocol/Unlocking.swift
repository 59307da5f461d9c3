/// How the vault is to be opened, and for how long.
public struct Unlocking: Equatable, Sendable {
    /// Where the secret comes from.
    public enum Source: String, Sendable {
        /// Without a person; else from the person, asked at the caller's terminal or by the agent.
        case ask
        /// It came along, as the one bytes frame before the request.
        case given
        /// Without a person: a key slot in an open keyring, a credential of the service manager.
        case unattended
    }

    /// Where the secret comes from.
    public var source: Source
    /// Seconds after which the vault locks whatever happens; nil for the usual time.
    public var seconds: Int?
    /// From a front: the program on the bus that needs the vault.
    public var behalf: Behalf?

    /// A way to open the vault.
    public init(_ source: Source, seconds: Int? = nil, for behalf: Behalf? = nil) {
        self.source = source
        self.seconds = seconds
        self.behalf = behalf
    }
}
