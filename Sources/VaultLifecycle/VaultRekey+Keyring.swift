internal import FileStore
internal import RecordStore
internal import SecretServiceStore
internal import VaultCrypto

/// The items that a change of the vault key has made in the keyring so far.
///
/// Anyone who read the keyring together with the vault has the secrets of its items, so each slot gets a new secret.
struct KeyringRenewal {
    /// An item with the secret of a slot that is to be made.
    struct Made {
        let item: KeyringSlot
        /// The label of the slot.
        let label: String
        /// The number of the slot that the item was made for.
        let number: UInt32
    }

    /// The keyring, if it was needed.
    private(set) var service: SecretService?
    /// The new items, in the order of the slots that they replace.
    private(set) var made: [Made] = []

    /// Makes an item with a new secret for each slot that is renewed.
    mutating func make(for rekey: VaultRekey) throws(StoreError) {
        let renewed = rekey.fates.filter { $0.outcome == .renewed }
        guard !renewed.isEmpty else { return }
        let service = try rekey.locator.connect(.probe)
        self.service = service
        var number = try rekey.store.slots().map(\.number).max() ?? 0
        for fate in renewed {
            guard let old = rekey.items[fate.slot.number] else { continue }
            number += 1
            let item = try KeyringSlot.make(
                for: rekey.store.vaultID,
                number: number,
                name: rekey.locator.place.key,
                in: old.collection,
                service,
                entropy: .system
            )
            made.append(Made(item: item, label: fate.slot.label, number: number))
        }
    }

    /// Corrects the slot numbers in the items, if another process made slots meanwhile.
    func renumber(by slots: [SlotInfo], for rekey: VaultRekey) {
        guard let service else { return }
        let before = Set(rekey.fates.map(\.slot.number))
        let new = slots.filter { $0.kind == .secretService && !before.contains($0.number) }
        for (made, slot) in zip(made, new) where made.number != slot.number {
            try? made.item.renumber(
                to: slot.number,
                of: rekey.store.vaultID,
                name: rekey.locator.place.key,
                service
            )
        }
    }

    /// Removes the new items, which open nothing.
    func undo() {
        guard let service else { return }
        for new in made { try? new.item.remove(service) }
    }
}

extension VaultRekey {
    /// Removes the keyring's items of slots that are gone.
    func forgetItems(_ service: SecretService?) -> StoreError? {
        let gone = fates.filter { !$0.stays && $0.slot.kind == .secretService }
        guard !gone.isEmpty else { return nil }
        do throws(StoreError) {
            let service = if let service { service } else { try locator.connect(.probe) }
            for fate in gone {
                // The item's attributes may name another slot, if renumbering once failed.
                if fate.outcome == .renewed { try items[fate.slot.number]?.remove(service) }
                try KeySlots.forget(fate.slot.number, of: store, service)
            }
            return nil
        } catch {
            return error
        }
    }

    /// The items of the keyring that open the vault now; items of removed slots are left out.
    static func items(
        of companion: KeyringCompanion?,
        _ store: FileStore
    ) throws(StoreError) -> [UInt32: KeyringSlot] {
        var items: [UInt32: KeyringSlot] = [:]
        for slot in companion?.slots ?? [] {
            do throws(StoreError) {
                items[try store.testSlot(slot.unlock)] = slot
            } catch {
                guard error == .wrongSecret || error == .noSuchSlot else { throw error }
            }
        }
        return items
    }
}
