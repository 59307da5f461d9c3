internal import Console
internal import FileStore
internal import RecordStore
internal import SecretServiceStore

/// What the keyring keeps for a vault file that has a key slot there: the secret of the slot, and the second
/// copy of the anchor.
final class KeyringCompanion {
    /// Secrets of slots that can be read now.
    let slots: [KeyringSlot]
    /// Items of slots that are locked away.
    let locked: Int
    /// Items of slots that hold no secret.
    let damaged: Int
    /// The last state of the vault that the keyring remembers.
    let anchor: AnchorText?
    /// Why the keyring could not be asked.
    let failure: StoreError?
    /// The vault that was opened; what it wrote is remembered at the end.
    var opened: FileStore?
    private let service: SecretService?

    /// What a keyring has that answers.
    init(_ service: SecretService, _ vaultID: [UInt8]) throws(StoreError) {
        let found = try KeyringSlot.find(vaultID, in: service)
        slots = found.slots
        locked = found.locked
        damaged = found.damaged
        anchor = try KeyringAnchor.read(vaultID, in: service)
        failure = nil
        self.service = service
    }

    /// A keyring that does not answer.
    init(failed error: StoreError) {
        slots = []
        locked = 0
        damaged = 0
        anchor = nil
        failure = error
        service = nil
    }

    /// Opens a vault by the first secret that fits a slot; nil when none does.
    func open(
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

    /// Removes an item that opens nothing any more.
    func remove(_ slot: KeyringSlot) throws(StoreError) {
        if let service { try slot.remove(service) }
    }

    /// Remembers that the vault went on elsewhere: an old file that is put back is then told to be one.
    func outdate(by text: AnchorText, name: String) {
        guard let service, let collection = slots.first?.collection else { return }
        try? KeyringAnchor.raise(to: text, name: name, in: collection, service)
    }

    /// Remembers the newest commit of this run in the keyring, at most once a minute.
    ///
    /// Not to reach it is no failure: the anchor in its file is there, and `doctor` tells.
    func remember(_ memory: KeyringMemory, name: String, now: Int64) {
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

extension Context {
    /// What the keyring keeps for a vault file; nil for one without a key slot there, which never asks it.
    ///
    /// Nobody is asked, and nothing waits longer than two seconds. Where a secret was named, a keyring that
    /// was too slow within the last minute is left alone.
    func keyringCompanion(of place: VaultPlace, _ glance: FileGlance, isNeeded: Bool) -> KeyringCompanion? {
        guard glance.slots.contains(.secretService) else { return nil }
        let memory = KeyringMemory(place, glance.vaultID)
        if !isNeeded, memory.wasTooSlow(now) { return nil }
        let found: KeyringCompanion
        do throws(StoreError) {
            found = try KeyringCompanion(try connect(.probe), glance.vaultID)
        } catch {
            found = KeyringCompanion(failed: error)
            if error == .keyringTimeout { memory.write(error, at: now) }
        }
        companion = found
        return found
    }

    /// What is left to be done when a command has ended, well or badly.
    func finish() {
        guard let companion, let place = try? place(), let store = companion.opened else { return }
        companion.remember(KeyringMemory(place, store.vaultID), name: place.key, now: now)
    }
}
