internal import FileStore
internal import RecordStore
internal import SecretServiceStore
internal import VaultCrypto

/// What a change of the vault key has made in the keyring so far.
///
/// A person who read the keyring together with the vault has the secrets of its items: a slot stays only with a new one.
struct KeyringRenewal {
    /// An item with the secret of a slot that is to be made.
    struct Made {
        let item: KeyringSlot
        /// What the slot is called.
        let label: String
        /// The number that it was made for.
        let number: UInt32
    }

    /// The keyring, where it was needed.
    private(set) var service: SecretService?
    /// In the order of the slots that they replace.
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

    /// Says which numbers the slots have got, where another process made slots meanwhile.
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

    /// Removes items that open nothing.
    func undo() {
        guard let service else { return }
        for new in made { try? new.item.remove(service) }
    }
}

extension VaultRekey {
    /// Removes what the keyring has of slots that are gone.
    func forgetItems(_ service: SecretService?) -> StoreError? {
        let gone = fates.filter { !$0.stays && $0.slot.kind == .secretService }
        guard !gone.isEmpty else { return nil }
        do throws(StoreError) {
            let service = if let service { service } else { try locator.connect(.probe) }
            for fate in gone {
                // Its attributes may name another slot, where renumbering it once failed.
                if fate.outcome == .renewed { try items[fate.slot.number]?.remove(service) }
                try KeySlots.forget(fate.slot.number, of: store, service)
            }
            return nil
        } catch {
            return error
        }
    }

    /// The items of the keyring that open the vault now: one may be left of a slot that is gone.
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
