/// How a vault is opened.
public struct OpenOptions: Equatable, Sendable {
    /// Writes nothing to the vault and nothing to the anchor.
    public var readOnly: Bool
    /// Refuses a vault with a history that has no anchor here (`StoreError.anchorRequired`).
    public var requireAnchor: Bool
    /// Opens an old copy (`rollback`, `fork`) for reading, which is otherwise refused.
    public var stale: Bool
    /// Opens an old copy for `acceptRollback`.
    package var acceptsRollback = false
    /// What is remembered of the vault elsewhere; the higher one of this and the anchor counts.
    package var furtherAnchor: AnchorText?

    /// Read and write, with or without an anchor, no old copies.
    public init(readOnly: Bool = false, requireAnchor: Bool = false, stale: Bool = false) {
        self.readOnly = readOnly
        self.requireAnchor = requireAnchor
        self.stale = stale
    }
}
