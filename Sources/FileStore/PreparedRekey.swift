internal import Files
internal import Glibc
internal import RecordStore
internal import VaultCrypto

/// A change of the vault key before anything is written: the next key, and every slot wrapped to it.
package struct PreparedRekey: Sendable {
    /// Free bytes needed beside twice the size of the vault, for the draft and the log.
    private static let spareBytes: UInt64 = 64 << 20

    /// The vault's keys after the change.
    let keys: VaultKeys
    /// The vault's slots after the change.
    let slots: Keyslots
    /// Public information about those slots.
    let infos: [SlotInfo]
    /// The slots from which the change was prepared.
    let present: Keyslots
    /// The key epoch after the change.
    let epoch: UInt32

    /// Generates the next key and wraps it for each slot; deriving the key of a passphrase takes long.
    ///
    /// Random bytes are drawn in this order: the key, then for each slot as it is made or carried.
    ///
    /// - Throws: `noSuchSlot` for an unknown number; `slotLimit`; `lastSlot` without a portable slot;
    ///   `tampered(.slots)` for a slot that cannot be carried over.
    init(_ wanted: [RekeyedSlot], of present: Keyslots, _ sealer: Sealer) throws(StoreError) {
        guard sealer.epoch < .max else { throw .corrupt }
        let vaultKey: SecretBytes
        do { vaultKey = try sealer.entropy.secret(VaultKeys.vaultKeySize) } catch { throw StoreError(error) }
        let keys = try VaultKeys(vaultKey: vaultKey)
        let epoch = sealer.epoch + 1
        let infos = try present.list(sealer.keys)
        var number = present.nextNumber
        var slots = try Keyslots([])
        func make(_ new: NewSlot, _ number: UInt32, _ time: UInt64) throws(StoreError) {
            let row = try Keyslots.make(
                new,
                number: number,
                vaultKey: vaultKey,
                keys: keys,
                vaultID: sealer.vaultID,
                epoch: epoch,
                time: time,
                entropy: sealer.entropy
            )
            slots = try slots.adding(row)
        }
        for slot in wanted {
            switch slot {
            case .carried(let number):
                guard let row = present.rows.first(where: { $0.number == number }) else { throw .noSuchSlot }
                let carried = try Keyslots.carry(
                    row,
                    from: sealer.keys,
                    to: vaultKey,
                    keys,
                    vaultID: sealer.vaultID,
                    epoch: epoch,
                    entropy: sealer.entropy
                )
                guard let carried else { throw .tampered(.slots) }
                slots = try slots.adding(carried)
            case .remade(let number, let unlock):
                guard let info = infos.first(where: { $0.number == number }) else { throw .noSuchSlot }
                let parameters = info.parameters ?? PasswordHash.standard
                try make(NewSlot(unlock, label: info.label, parameters: parameters), number, info.created)
            case .new(let new):
                try make(new, number, sealer.now())
                number += 1
            }
        }
        guard slots.rows.contains(where: { $0.kind.isPortable }) else { throw .lastSlot }
        self.keys = keys
        self.slots = slots
        self.infos = try slots.list(keys)
        self.present = present
        self.epoch = epoch
    }

    /// A sealer under the next keys, with the entropy and clock of the present one.
    func sealer(_ vaultID: [UInt8], _ present: Sealer) throws(StoreError) -> Sealer {
        try Sealer(keys: keys, vaultID: vaultID, epoch: epoch, entropy: present.entropy, now: present.now)
    }

    /// Checks that the folder of a vault has room for the draft and the log.
    static func checkRoom(_ paths: VaultPaths) throws(StoreError) {
        var size: UInt64 = 0
        for ending in ["", "-wal"] { size += UInt64(try FileFacts(paths.vault + ending)?.size ?? 0) }
        var found = statvfs()
        try SystemCall.retry { unsafe statvfs(paths.folder, &found) }
        let free = UInt64(found.f_bavail) * UInt64(found.f_frsize)
        guard free >= 2 * size + spareBytes else { throw .diskFull }
    }
}
