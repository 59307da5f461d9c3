internal import Files
package import RecordStore
package import VaultCrypto

/// The repair of a damaged vault file into a new one (Schemas/vault-file.md section 6).
///
/// SQLite is not asked: rows are found by their shape, in the file and in its log, and judged by their tags. The damaged
/// file is only read.
package final class Repairing {
    /// The most slots that a passphrase is tried at, and the most vaults at those that it fits: every try costs a password
    /// hash.
    static let maximumTried = 16
    static let maximumVaults = 32

    /// A damaged vault that a secret has opened.
    package struct Opened {
        /// Which vault it is.
        package let vault: RepairVault
        let keys: VaultKeys
        /// The newest head that opens.
        let head: HeadContent?
        /// Whether that head lies behind the last commit of the log, and rows beside it count as it does.
        let isHeadBehindCommits: Bool
        let slots: SlotSalvage
        /// The heads of the backups, in their order.
        let backups: [HeadContent]
        /// The newest generation that was seen in the head, the backups and the anchor.
        let newest: UInt64
        /// Whether the slot that was used is a backup's: the damaged file had none that opens.
        package let isOpenedByBackup: Bool
        /// A later key epoch of this vault that a head in the file or the anchor names; nil where there is none.
        package let laterEpoch: UInt32?
        /// Backups of another vault, or of another key of this one.
        package let otherBackups: [String]

        /// How many key slots the new vault has.
        package var slotCount: Int { slots.slots.rows.count }

        /// The key slots that were found, those that the new vault has and those that are left out.
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

    /// Blocks of 4 KiB that the disk did not give back.
    package var unreadable: Int { max(source.unreadable, carved.unreadable) }

    /// Whether more has the shape of slots and heads than is looked at: only a person makes such a file.
    package var isCutShort: Bool { carved.isCutShort || carved.heads.count > Self.maximumVaults }

    /// Whether the file itself was there, not only its log.
    package var hasFile: Bool { source.hasFile }

    /// The kinds of the key slots that were found.
    package var slotKinds: [SlotKind] {
        (carved.slots + backups.flatMap(\.slots.rows)).map(\.kind)
    }

    /// Copies the damaged file and its log beside the new vault, and searches them.
    ///
    /// - Parameters:
    ///   - file: The damaged vault; it may be gone where its log is there.
    ///   - new: Where the new vault goes; nil for a look that writes nothing.
    ///   - backups: Backups of the same vault.
    ///   - anchorFolder: Where the anchors of this machine lie.
    ///   - known: Vaults that this machine knows of, for a file that has no head.
    ///   - isStopped: Whether it should end.
    ///   - entropy: Where nonces and names come from.
    ///   - now: The time in milliseconds of Unix time.
    /// - Returns: the damaged vault, searched and not opened yet.
    /// - Throws: `notFound`; `alreadyExists` for a new vault that is there; `notAVault` for a file with nothing of a vault
    ///   in it; `RepairRefusal`; what opening a backup throws; `diskFull`, `io`; `cancelled`.
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

    /// Which vaults it may be, in the order in which a secret is tried at them.
    ///
    /// What a file names may be made up: vaults that this machine or a backup knows come first, of these the ones that the
    /// file names. Of one vault the newest key epoch comes first, as the slots of before may lie in the file still.
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
