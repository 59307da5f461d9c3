/// A vault that was found in the Secret Service, before it is opened.
public struct KeyringVault: Equatable, Sendable {
    /// 16 bytes, public.
    public let vaultID: [UInt8]
    /// What it was called when it was made.
    public let name: String
    /// The D-Bus path of its collection.
    public let collection: String
    /// Whether the collection must be unlocked first.
    public let isLocked: Bool

    package init(vaultID: [UInt8], name: String, collection: String, isLocked: Bool) {
        self.vaultID = vaultID
        self.name = name
        self.collection = collection
        self.isLocked = isLocked
    }
}
