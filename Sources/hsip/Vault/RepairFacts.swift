internal import FileStore
internal import RecordStore
internal import SecretServiceStore
internal import VaultLifecycle

/// What is said of a damaged vault besides its records, wherever it lies.
struct RepairFacts {
    /// A key slot that was found.
    struct Slot {
        let number: UInt32
        let kind: SlotKind
        let label: String
        let isTaken: Bool
    }

    let vaultID: [UInt8]
    let epoch: UInt32
    let backend: Backend
    /// The damaged file; nil for a vault in the keyring.
    let source: String?
    let sourceExists: Bool
    let target: String?
    let backups: [String]
    let unreadableBlocks: Int
    let slots: [Slot]
    let isOpenedByBackup: Bool
    let damagedItems: [KeyringSalvage.DamagedItem]
    let isRootFromCopy: Bool

    /// How many key slots the new vault has.
    var slotCount: Int { slots.count(where: \.isTaken) }

    /// What is said of a vault file.
    init(_ repair: VaultRepair, _ opened: Repairing.Opened) {
        (vaultID, epoch, backend) = (opened.vault.id, opened.vault.epoch, .file)
        (source, sourceExists, target) = (repair.source, repair.hasFile, repair.target)
        (backups, unreadableBlocks) = (repair.backups, repair.unreadable)
        slots = opened.foundSlots.map { slot in
            Slot(number: slot.number, kind: slot.kind, label: slot.label, isTaken: slot.isTaken)
        }
        isOpenedByBackup = opened.isOpenedByBackup
        (damagedItems, isRootFromCopy) = ([], false)
    }

    /// What is said of a vault in the keyring.
    ///
    /// - Parameters:
    ///   - repair: The repair.
    ///   - key: What opens the new vault; nil where a look makes none.
    /// - Throws: `tampered(.slots)` for a slot whose note does not open.
    init(_ repair: KeyringRepair, _ key: CopyKey?) throws(StoreError) {
        let salvage = repair.salvage
        (vaultID, epoch, backend) = (salvage.vaultID, salvage.position.epoch, .secretService)
        (source, sourceExists, target) = (nil, true, repair.target)
        (backups, unreadableBlocks, isOpenedByBackup) = ([], 0, false)
        slots = try (key?.list() ?? []).map { slot in
            Slot(number: slot.number, kind: slot.kind, label: slot.label, isTaken: true)
        }
        (damagedItems, isRootFromCopy) = (salvage.damagedItems, salvage.isFromCopy)
    }
}
