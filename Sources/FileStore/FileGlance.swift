public import RecordStore

/// What a vault file says of itself before it is unlocked.
///
/// Nothing of this is vouched for yet.
public struct FileGlance: Equatable, Sendable {
    /// 16 bytes, public.
    public let vaultID: [UInt8]
    /// The key epoch: it rises when the vault moves, or gets a new key.
    public let epoch: UInt32
    /// The kinds of its key slots, ascending by number.
    public let slots: [SlotKind]
}

extension FileStore {
    /// Looks at a vault without its key: whether it is one, which one, and what could open it.
    ///
    /// - Throws: `notFound`, `unsafeFile`, `unsuitableFileSystem`, `notAVault`, `newerFormat`,
    ///   `schemaTampered`, `tampered`, `corrupt`, `readOnlyWithLog`.
    public static func glance(at paths: VaultPaths) throws(StoreError) -> FileGlance {
        try Opening(paths, OpenOptions(readOnly: true)).glance()
    }
}
