internal import Files
package import RecordStore
package import VaultCrypto

/// The repair of a damaged vault file into a new one (Schemas/vault-file.md section 6).
///
/// The repair works without SQLite: it finds rows by their shape, in the file and its log, and judges them by
/// their tags. The damaged file is only read.
package final class Repairing {
    /// The most slots to try a passphrase at, and the most vaults to try with fitting slots, because every
    /// try costs a password hash.
    static let maximumTried = 16
    static let maximumVaults = 32

    /// A damaged vault that a secret has opened.
    package struct Opened {
        /// The id and key epoch of the vault.
        package let vault: RepairVault
        let keys: VaultKeys
        /// The newest head that opens.
        let head: HeadContent?
        /// Whether the head is behind the last commit of the log; then rows beside it count as it does.
        let isHeadBehindCommits: Bool
        let slots: SlotSalvage
        /// The heads of the backups, in order.
        let backups: [HeadContent]
        /// The newest generation seen in the head, the backups and the anchor.
        let newest: UInt64
        /// Whether the used slot is a backup's, because no slot of the damaged file opened.
        package let isOpenedByBackup: Bool
        /// A later key epoch of this vault, named by a head in the file or by the anchor; nil if there is
        /// none.
        package let laterEpoch: UInt32?
        /// Paths of backups of another vault, or of another key of this one.
        package let otherBackups: [String]

        /// The number of key slots in the new vault.
        package var slotCount: Int { slots.slots.rows.count }

        /// All key slots found, chosen for the new vault or not.
        package var foundSlots: [SalvagedSlot] { slots.found }
    }

    let source: RepairSource
    let carved: Carver
    let backups: [RepairBackup]
    let new: String?
    let entropy: Entropy
    let now: @Sendable () -> UInt64
    let vaults: [RepairVault]
    let anchorFolder: String
    private let held: HeldFiles

    /// Unreadable blocks on the disk, 4 KiB each.
    package var unreadable: Int { max(source.unreadable, carved.unreadable) }

    /// Whether the file has more candidates for slots and heads than are read; only a forged file has so
    /// many.
    package var isCutShort: Bool { carved.isCutShort || carved.heads.count > Self.maximumVaults }

    /// Whether the file itself was found, not only its log.
    package var hasFile: Bool { source.hasFile }

    /// The kinds of the key slots found.
    package var slotKinds: [SlotKind] {
        (carved.slots + backups.flatMap(\.slots.rows)).map(\.kind)
    }

    /// Copies the damaged file and its log beside the new vault, and searches the copies.
    ///
    /// - Parameters:
    ///   - file: The damaged vault; it may be missing if its log exists.
    ///   - new: The path of the new vault; nil to search without writing a new vault.
    ///   - backups: Backups of the same vault.
    ///   - anchorFolder: The folder of this machine's anchors.
    ///   - known: Vaults known to this machine, for a file without a head.
    ///   - isStopped: Whether to stop.
    ///   - entropy: The source of nonces and names.
    ///   - now: The time, Unix milliseconds.
    /// - Returns: the damaged vault, searched but not opened.
    /// - Throws: `notFound`; `alreadyExists` if the new vault exists; `notAVault` if the file has no part of a vault;
    ///   `RepairRefusal`, also for a bad backup; `diskFull`, `io`; `cancelled`.
    package static func begin(
        _ file: String,
        into new: String?,
        with backups: [String],
        anchorFolder: String,
        known: [RepairVault],
        isStopped: () -> Bool = { false },
        entropy: Entropy,
        now: @escaping @Sendable () -> UInt64
    ) throws -> Repairing {
        if let new, try FileFacts(new) != nil { throw StoreError.alreadyExists }
        let held = HeldFiles([file] + backups)
        var opened: [RepairBackup] = []
        for backup in backups {
            do throws(StoreError) { opened.append(try RepairBackup(backup)) } catch {
                throw RepairRefusal.badBackup(path: backup, error)
            }
        }
        let source = try RepairSource(file, beside: new, entropy, isStopped: isStopped)
        let carved = try Carver(source.images, isStopped: isStopped)
        guard !isStopped() else { throw StoreError.cancelled }
        guard !carved.isEmpty else {
            let unreadable = max(source.unreadable, carved.unreadable)
            if unreadable > 0 { throw RepairRefusal.unreadable(blocks: unreadable) }
            throw StoreError.notAVault
        }
        return Repairing(
            source: source,
            carved: carved,
            backups: opened,
            new: new,
            entropy: entropy,
            now: now,
            vaults: candidates(known, opened.map(\.vault), carved.vaults),
            anchorFolder: anchorFolder,
            held: held
        )
    }

    /// The vaults that the file may be, in the order in which the secret is tried.
    ///
    /// A file may name invented vaults: those known to this machine or a backup come first, and among these
    /// the ones that the file names. For one vault the newest key epoch comes first, as the file may still
    /// have older slots.
    private static func candidates(
        _ known: [RepairVault],
        _ backups: [RepairVault],
        _ named: [RepairVault]
    ) -> [RepairVault] {
        let trusted = Set((known + backups).map(\.id))
        let present = Set((backups + named).map(\.id))
        var (first, second, last): ([RepairVault], [RepairVault], [RepairVault]) = ([], [], [])
        var seen: Set<RepairVault> = []
        for vault in known + backups + named where seen.insert(vault).inserted {
            if !trusted.contains(vault.id) {
                last.append(vault)
            } else if present.contains(vault.id) {
                first.append(vault)
            } else {
                second.append(vault)
            }
        }
        return [first, second, last].flatMap { $0.sorted { $0.epoch > $1.epoch } }
    }

    private init(
        source: RepairSource,
        carved: Carver,
        backups: [RepairBackup],
        new: String?,
        entropy: Entropy,
        now: @escaping @Sendable () -> UInt64,
        vaults: [RepairVault],
        anchorFolder: String,
        held: HeldFiles
    ) {
        self.source = source
        self.carved = carved
        self.backups = backups
        self.new = new
        self.entropy = entropy
        self.now = now
        self.vaults = vaults
        self.anchorFolder = anchorFolder
        self.held = held
    }
}
