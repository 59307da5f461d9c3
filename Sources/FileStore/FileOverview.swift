public import RecordStore
internal import Synchronization

/// The public facts of a vault file before it is unlocked.
///
/// The facts are not authenticated yet.
public struct FileOverview: Equatable, Sendable {
    /// The vault's id: 16 bytes, public.
    public let vaultID: [UInt8]
    /// The key epoch: it rises when the vault moves, or gets a new key.
    public let epoch: UInt32
    /// Its key slots, ascending by number.
    public let slots: [SlotOverview]
    /// The opened connection, if it was kept.
    let kept: KeptOpening?

    init(vaultID: [UInt8], epoch: UInt32, slots: [SlotOverview], kept: KeptOpening? = nil) {
        self.vaultID = vaultID
        self.epoch = epoch
        self.slots = slots
        self.kept = kept
    }

    /// Whether it has a key slot of a kind.
    public func has(_ kind: SlotKind) -> Bool { slots.contains { $0.kind == kind } }

    /// Closes the kept connection before a wait of unknown length.
    public func letGo() {
        _ = kept?.take()
    }

    /// Compares the facts, not the kept connection.
    public static func == (one: FileOverview, other: FileOverview) -> Bool {
        one.vaultID == other.vaultID && one.epoch == other.epoch && one.slots == other.slots
    }
}

/// The connection of an overview, kept until it is used again: connecting is slower than all other steps of opening.
final class KeptOpening: Sendable {
    private let opening: Mutex<Opening?>

    init(_ opening: Opening) {
        self.opening = Mutex(opening)
    }

    /// Returns the connection; a second call returns nil.
    func take() -> Opening? {
        opening.withLock { opening in
            defer { opening = nil }
            return opening
        }
    }
}

extension FileStore {
    /// Reads which vault a file is and which slots can open it, without its key.
    ///
    /// - Parameters:
    ///   - paths: the paths of the vault and its anchor.
    ///   - keepsConnection: whether to keep the connection for `open`, which is to follow at once.
    /// - Returns: the public facts, not authenticated yet.
    /// - Throws: `notFound`, `unsafeFile`, `unsuitableFileSystem`, `notAVault`, `newerFormat`,
    ///   `schemaTampered`, `tampered`, `corrupt`, `readOnlyWithLog`.
    public static func overview(
        at paths: VaultPaths,
        keepsConnection: Bool = false
    ) throws(StoreError) -> FileOverview {
        let opening = try Opening(paths, OpenOptions(readOnly: true))
        return try opening.overview(keeping: keepsConnection ? KeptOpening(opening) : nil)
    }
}
