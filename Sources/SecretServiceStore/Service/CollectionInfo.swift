/// A collection of the Secret Service: what desktops call a keyring.
public struct CollectionInfo: Equatable, Sendable {
    /// Its D-Bus object path.
    public let path: String
    /// Its name for people.
    public let label: String
    /// Whether it must be unlocked before its secrets can be read.
    public let isLocked: Bool
    /// Whether the alias `default` leads to it.
    public let isDefault: Bool

    package init(path: String, label: String, isLocked: Bool, isDefault: Bool) {
        self.path = path
        self.label = label
        self.isLocked = isLocked
        self.isDefault = isDefault
    }
}
