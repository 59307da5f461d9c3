public import RecordStore
internal import Synchronization

/// The public facts of a vault file before it is unlocked.
///
/// None of the facts is authenticated yet.
public struct FileOverview: Equatable, Sendable {
    /// The vault's id: 16 bytes, public.
    public let vaultID: [UInt8]
    /// The key epoch: it rises when the vault moves, or gets a new key.
    public let epoch: UInt32
    /// Its key slots, ascending by number.
    public let slots: [SlotOverview]
    /// The connection of the look, where it was kept.
    let kept: KeptOpening?

    init(vaultID: [UInt8], epoch: UInt32, slots: [SlotOverview], kept: KeptOpening? = nil) {
        self.vaultID = vaultID
        self.epoch = epoch
        self.slots = slots
        self.kept = kept
    }

    /// Whether it has a key slot of a kind.
    public func has(_ kind: SlotKind) -> Bool { slots.contains { $0.kind == kind } }

    /// Closes the connection that was kept, for a wait of unknown length.
    public func letGo() {
        _ = kept?.take()
    }

    /// Compares the facts, not the kept connection.
    public static func == (one: FileOverview, other: FileOverview) -> Bool {
        one.vaultID == other.vaultID && one.epoch == other.epoch && one.slots == other.slots
    }
}

/// The connection of a look at a vault, until it is used further: setting up one takes longer than all the
/// rest of opening.
final class KeptOpening: Sendable {
    private let opening: Mutex<Opening?>

    init(_ opening: Opening) {
        self.opening = Mutex(opening)
    }

    /// Hands the connection over; there is none a second time.
    func take() -> Opening? {
        opening.withLock { opening in
            defer { opening = nil }
            return opening
        }
    }
}

extension FileStore {
    /// Looks at a vault without its key: whether it is one, which one, and what could open it.
    ///
    /// - Parameters:
    ///   - paths: where the vault and its anchor lie.
    ///   - keepsConnection: whether the connection stays for `open`, which is to follow at once.
    /// - Returns: what the file shows; nothing vouches for it yet.
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
