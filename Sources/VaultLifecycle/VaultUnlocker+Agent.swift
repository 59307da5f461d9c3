internal import FileStore
package import RecordStore
internal import SecretServiceStore
package import VaultCrypto

extension VaultUnlocker {
    /// Opens the vault where no person is needed for it: by a credential of the unit, a key slot in a keyring
    /// that is open, or the keyring itself.
    ///
    /// - Parameter now: Unix seconds.
    /// - Returns: nil where a person has to be asked.
    /// - Throws: what stands in the way of the vault; a credential that does not open it is an error, too.
    package func openUnattended(now: Int64) throws(OpeningError) -> OpenedVault? {
        do throws(OpeningError) {
            return try open(by: NamedSecret.credential(locator.environment), .script, now: now)
        } catch .store(.locked) {
            return nil
        } catch .store(.keyringLocked) {
            return nil
        }
    }

    /// Opens the vault that lies in the keyring; a locked keyring asks the person for its own password.
    ///
    /// - Parameters:
    ///   - mayAsk: whether the person sits at the desktop, where the keyring asks.
    ///   - now: Unix seconds.
    /// - Returns: nil for a vault file, which opens by a passphrase.
    /// - Throws: `store(.keyringLocked)` where the keyring is locked and no one may be asked.
    package func openByKeeper(mayAsk: Bool, now: Int64) throws(OpeningError) -> OpenedVault? {
        let found = try locator.find()
        guard case .keyring = found else { return nil }
        return try open(found, by: nil, mayAsk ? .person : .script, now: now)
    }

    /// The slot of the vault file whose PIN a person may type instead of the passphrase; nil without one.
    package func offer() throws(OpeningError) -> (slot: SlotGlance, triesLeft: UInt32)? {
        guard let hardware, case .file(let glance) = try locator.find() else { return nil }
        return TPMSlot(of: glance.vaultID, hardware).offer(of: glance)
    }

    /// Opens the vault by a slot of the TPM.
    ///
    /// - Throws: `store(.noSuchSlot)`; what the TPM refuses; what else stands in the way of the vault.
    package func open(slot number: UInt32, pin: Secret, now: Int64) throws(OpeningError) -> OpenedVault {
        guard let hardware, case .file(let glance) = try locator.find(),
            let slot = TPMSlot.all(of: glance).first(where: { $0.number == number })
        else { throw .store(.noSuchSlot) }
        let typed = try GivenSecret(pin).secret(attempt: 1)
        let secret = try TPMSlot(of: glance.vaultID, hardware).unlock(slot, pin: try TPMSlot.pin(typed))
        return try open(by: ReadySecret(secret), .script, now: now)
    }

    /// Opens the vault with what was typed: a passphrase or a recovery code.
    ///
    /// A vault in the keyring has no passphrase: the keyring itself is asked, and what was typed is not used.
    ///
    /// - Parameters:
    ///   - typed: As it was typed; it is tried once.
    ///   - now: Unix seconds.
    /// - Returns: The vault, and what the keyring keeps for it.
    /// - Throws: `store(.wrongSecret)` and `store(.mistyped)` for slips, which may be tried again; what else
    ///   stands in the way of the vault.
    package func open(typed: Secret, now: Int64) throws(OpeningError) -> OpenedVault {
        let vault = try open(by: GivenSecret(typed), .person, now: now)
        if case .file(let store) = vault.store, let secret = try? TypedSecret.unlock(typed) {
            PassphraseUse.note(secret, of: store.vaultID, at: locator, now: now)
        }
        return vault
    }
}
