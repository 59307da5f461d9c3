/// Which collection of the Secret Service is meant.
public enum CollectionChoice: Equatable, Sendable {
    /// The one that the alias `default` leads to: the login keyring.
    case standard
    /// The one with this label, or with this last part of its path.
    case named(String)
}
