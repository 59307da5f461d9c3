package import FileStore
package import RecordStore
package import SecretServiceStore
internal import VaultCrypto

/// The key slots of an open vault file; each slot lets one secret open the file.
///
/// A slot can only be made with the vault key, which is not kept: the secret that opened the file is needed once more.
package struct KeySlots {
    /// The label of a slot in the login keyring that has no name of its own.
    package static let keyringLabel = "login keyring"

    /// How a slot is written.
    package enum Act: Equatable, Sendable {
        case add
        /// Replaces the slot of this number.
        case replace(UInt32)
    }

    package let store: FileStore
    let secret: Unlock
    private let progress: any Progress

    package init(of store: FileStore, _ secret: Unlock, showing progress: any Progress = NoProgress()) {
        self.store = store
        self.secret = secret
        self.progress = progress
    }

    /// Writes a slot that a person's secret opens.
    ///
    /// - Parameters:
    ///   - new: The slot, with the secret that opens it.
    ///   - act: Whether the slot is added or replaces another slot.
    ///   - undo: Called if no slot was made, to discard a code that opens nothing. A code that may open something
    ///     is never lost.
    /// - Returns: the number of the slot.
    /// - Throws: as `FileStore.addSlot` and `FileStore.replaceSlot`.
    package func write(
        _ new: NewSlot,
        _ act: Act,
        undo: () -> Void
    ) throws(StoreError) -> UInt32 {
        let before = try store.slots().map(\.number)
        do throws(StoreError) {
            return try progress.during(.writingSlot) { () throws(StoreError) in try put(new, act) }
        } catch {
            if error != .commitUnknown, let now = try? store.slots().map(\.number), now == before { undo() }
            throw error
        }
    }

    func put(_ new: NewSlot, _ act: Act) throws(StoreError) -> UInt32 {
        switch act {
        case .add: try store.addSlot(new, unlock: secret)
        case .replace(let number): try store.replaceSlot(number, with: new, unlock: secret)
        }
    }
}

extension KeySlots {
    /// Makes a slot whose secret is stored in an unlocked keyring.
    ///
    /// The item is made before the slot, so that every slot has its secret. An item whose slot was not made is
    /// removed again.
    ///
    /// - Parameters:
    ///   - act: Whether the slot is added or replaces another slot.
    ///   - name: The name of the vault.
    ///   - label: The label of the slot.
    ///   - service: The keyring.
    ///   - collection: The collection that stores the item.
    /// - Returns: the number of the slot, and what the keyring keeps now, nil if that cannot be read: the end
    ///   of the work writes the second anchor.
    /// - Throws: what the keyring answers; what writing the slot throws.
    package func writeInKeyring(
        _ act: Act,
        name: String,
        label: String,
        _ service: SecretService,
        _ collection: CollectionInfo
    ) throws(StoreError) -> (number: UInt32, companion: KeyringCompanion?) {
        let before = try store.slots().map(\.number)
        let expected = (before.last ?? 0) &+ 1
        let item = try KeyringSlot.make(
            for: store.vaultID,
            number: expected,
            name: name,
            in: collection.path,
            service,
            entropy: .system
        )
        let number: UInt32
        do throws(StoreError) {
            number = try put(NewSlot(item.unlock, label: label), act)
        } catch {
            // An item that opens nothing is removed; an item that may open the vault is never lost.
            let isUnchanged = (try? store.slots().map(\.number)) == before
            if error != .commitUnknown || isUnchanged { try? item.remove(service) }
            throw error
        }
        if number != expected { try? item.renumber(to: number, of: store.vaultID, name: name, service) }
        let companion = try? KeyringCompanion(service, store.vaultID)
        companion?.opened = store
        return (number, companion)
    }

    /// Whether the vault has a slot that this keyring opens; a second slot would only be another key to lose.
    package static func isInKeyring(
        _ store: FileStore,
        _ connect: () throws(StoreError) -> SecretService
    ) throws(StoreError) -> Bool {
        guard try store.slots().contains(where: { $0.kind == .secretService }) else { return false }
        return try !KeyringSlot.find(store.vaultID, in: connect()).slots.isEmpty
    }

    /// Whether the vault has no slot of a keyring left: then the keyring keeps nothing for it any more.
    package static func isWithoutKeyring(_ store: FileStore) throws(StoreError) -> Bool {
        try !store.slots().contains { $0.kind == .secretService }
    }

    /// Removes from the keyring what belonged to a slot that is no longer in the vault.
    package static func forget(
        _ number: UInt32,
        of store: FileStore,
        _ service: SecretService
    ) throws(StoreError) {
        let isLast = try isWithoutKeyring(store)
        try KeyringSlot.remove(number: number, of: store.vaultID, service)
        if isLast { try KeyringAnchor.remove(store.vaultID, service) }
    }
}
