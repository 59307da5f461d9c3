internal import FileStore
internal import RecordStore
internal import SecretServiceStore
package import VaultCrypto

extension VaultUnlocker {
    /// Opens the vault if no person is needed: by a credential of the unit, a key slot in an open keyring, or the
    /// keyring itself.
    ///
    /// - Parameter now: Unix seconds.
    /// - Returns: The vault; nil if a person has to be asked.
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

    /// Opens a vault in the keyring; a locked keyring asks the person for its own password.
    ///
    /// - Parameters:
    ///   - mayAsk: whether the person sits at the desktop, where the keyring asks.
    ///   - now: Unix seconds.
    /// - Returns: The vault; nil for a vault file, which a passphrase opens.
    /// - Throws: `store(.keyringLocked)` if the keyring is locked and nobody may be asked.
    package func openByKeeper(mayAsk: Bool, now: Int64) throws(OpeningError) -> OpenedVault? {
        let found = try locator.find()
        guard case .keyring = found else { return nil }
        return try open(found, by: nil, mayAsk ? .person : .script, now: now)
    }

    /// The devices that a person can use instead of the passphrase; nil if no device opens a slot.
    ///
    /// The last try of a security key is not offered.
    package func offer() throws(OpeningError) -> HardwareOffer? {
        guard let hardware, case .file(let overview) = try locator.find() else { return nil }
        return HardwareSlots(of: overview, hardware).offers.first { !$0.isLastTry }
    }

    /// Opens the vault by a device; a wait for a touch ends once `stop` can be read.
    ///
    /// - Throws: `store(.noSuchSlot)`; `lastTries` for the last PIN that a security key accepts, without `takesLastTry`; what the
    ///   device refuses; what else stands in the way of the vault.
    package func open(
        slot number: UInt32,
        pin: Secret?,
        takesLastTry: Bool = false,
        until stop: Int32? = nil,
        now: Int64
    ) throws(OpeningError) -> OpenedVault {
        guard let hardware, case .file(let overview) = try locator.find() else { throw .store(.noSuchSlot) }
        let slots = HardwareSlots(of: overview, hardware, slot: number)
        let isKey = overview.slots.contains { $0.number == number && $0.kind == .securityKey }
        let offers = isKey ? try slots.keyOffers() : try slots.tpmOffers()
        guard let offer = offers.first else { throw .store(.noSuchSlot) }
        guard pin != nil || !offer.needsPIN else { throw .hardware(.key(.pinNeeded)) }
        guard takesLastTry || !offer.isLastTry else { throw .lastTries }
        overview.letGo()
        let secret = try slots.unlock(offer, pin: pin, until: stop)
        return try open(by: ReadySecret(secret), .script, now: now)
    }

    /// Opens the vault with what was typed: a passphrase or a recovery code.
    ///
    /// A vault in the keyring has no passphrase: the keyring itself is asked, and the typed text is not used.
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
