package import FileStore
package import RecordStore
package import SecretServiceStore
internal import Synchronization

/// The items that the keyring keeps for a vault file with a key slot there: the secret of the slot, and the
/// second copy of the anchor.
package final class KeyringCompanion: Sendable {
    /// Secrets of slots that can be read now.
    package let slots: [KeyringSlot]
    /// How many items of slots are locked.
    package let locked: Int
    /// How many items of slots do not hold a secret.
    package let damaged: Int
    /// The last state of the vault that the keyring remembers.
    package let anchor: AnchorText?
    /// Why the keyring could not be asked.
    package let failure: StoreError?
    /// The vault that was opened; its newest commit is remembered at the end.
    package var opened: FileStore? {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }
    private let current = Mutex<FileStore?>(nil)
    private let service: SecretService?

    /// Reads what a keyring keeps for the vault.
    package init(_ service: SecretService, _ vaultID: [UInt8]) throws(StoreError) {
        let found = try KeyringSlot.find(vaultID, in: service)
        slots = found.slots
        locked = found.locked
        damaged = found.damaged
        anchor = try KeyringAnchor.read(vaultID, in: service)
        failure = nil
        self.service = service
    }

    /// Stands for a keyring that does not answer.
    package init(failed error: StoreError) {
        slots = []
        locked = 0
        damaged = 0
        anchor = nil
        failure = error
        service = nil
    }

    /// Opens a vault with the first secret that fits a slot; nil if none fits.
    package func open(
        _ body: (Unlock) throws(StoreError) -> FileStore
    ) throws(StoreError) -> (store: FileStore, secret: Unlock)? {
        for slot in slots {
            do throws(StoreError) {
                return (try body(slot.unlock), slot.unlock)
            } catch {
                guard error == .wrongSecret || error == .noSuchSlot else { throw error }
            }
        }
        return nil
    }

    /// Removes an item that no longer opens a slot.
    package func remove(_ slot: KeyringSlot) throws(StoreError) {
        if let service { try slot.remove(service) }
    }

    /// Remembers that the vault has newer commits elsewhere, so that an old file that is put back is recognised.
    package func outdate(by text: AnchorText, name: String) {
        guard let service, let collection = slots.first?.collection else { return }
        try? KeyringAnchor.raise(to: text, name: name, in: collection, service)
    }

    /// Remembers the newest commit of this run in the keyring, at most once a minute.
    ///
    /// If the keyring cannot be reached, nothing fails: the anchor file is still there, and `doctor` reports it.
    package func remember(_ memory: KeyringMemory, name: String, now: Int64) {
        guard let text = opened?.written, memory.isDue(now) else { return }
        var outcome = failure
        if let service, let collection = slots.first?.collection {
            do throws(StoreError) {
                try KeyringAnchor.raise(to: text, name: name, in: collection, service)
            } catch {
                outcome = error
            }
        } else if outcome == nil {
            outcome = .keyringLocked
        }
        memory.write(outcome, at: now)
    }
}
