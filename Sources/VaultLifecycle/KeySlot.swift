package import RecordStore
package import VaultCrypto

/// Key slots that a security key opens.
package struct KeySlot: Sendable {
    private let vaultID: [UInt8]
    private let client: HardwareClient

    /// The slots of a vault.
    package init(of vaultID: [UInt8], _ client: HardwareClient) {
        (self.vaultID, self.client) = (vaultID, client)
    }

    /// Makes a credential on a security key; the key does not keep it.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - touchOnly: Whether a touch is enough, although the key could verify its user.
    ///   - pin: As it was typed; nil if a finger or a touch is enough.
    ///   - label: The name of the slot.
    /// - Returns: a slot to be written.
    /// - Throws: what the key refuses.
    package func make(
        on key: KeyLook,
        touchOnly: Bool,
        pin: Secret?,
        label: String
    ) throws(OpeningError) -> NewSlot {
        let made = try asOpeningError { try client.enrol(path: key.path, touchOnly: touchOnly, pin: pin) }
        let salt = Entropy.system.bytes(PasswordHash.saltSize)
        let secret = try secret(of: made.secret, salt)
        return NewSlot(.securityKey(made.params), salt: salt, secret: secret, label: label)
    }

    /// Lets a security key open a slot, with a touch; the wait for it ends once `stop` can be read.
    ///
    /// - Throws: what the key refuses.
    package func unlock(
        _ slot: SlotOverview,
        by key: KeyLook,
        pin: Secret?,
        until stop: Int32? = nil
    ) throws(OpeningError) -> Unlock {
        guard case .securityKey(let params)? = slot.device else { throw .store(.tampered(.slots)) }
        let made = try asOpeningError { try client.touch(params, path: key.path, pin: pin, until: stop) }
        return .securityKey(try secret(of: made, slot.salt))
    }

    private func secret(of made: Secret, _ salt: [UInt8]) throws(OpeningError) -> Secret {
        do {
            return try HardwareSecret.securityKey(
                try SecretBytes(copying: made),
                vaultID: vaultID,
                salt: salt
            )
        } catch {
            throw .store(.outOfMemory)
        }
    }
}

/// What happens to one key slot when the key of its vault is changed.
package struct SlotFate: Equatable, Sendable {
    /// What happens to the slot, and why.
    package enum Outcome: String, Sendable {
        /// The slot stays; its secret is not needed for that.
        case carried
        /// The slot stays; it is made again from its secret, which is available.
        case remade
        /// A slot with a new secret replaces it, since the keyring may have been read together with the vault.
        case renewed
        /// The slot is removed, as requested.
        case dropped
        /// The slot is removed: its secret is not available, or nothing is to be carried over.
        case ended
    }

    package let slot: SlotInfo
    package let outcome: Outcome

    /// Whether the secret opens the vault afterwards.
    package var stays: Bool { outcome == .carried || outcome == .remade }

    /// Decides what happens to every slot.
    ///
    /// - Parameters:
    ///   - slots: The slots of the vault.
    ///   - carried: The numbers of slots that can be carried over.
    ///   - here: The numbers of slots whose secret, or item in the keyring, is available.
    ///   - dropped: The numbers of slots to remove.
    ///   - isFresh: Nothing is carried over; of the available secrets, only a passphrase stays.
    /// - Returns: One fate for each slot, in the order of the slots.
    package static func of(
        _ slots: [SlotInfo],
        carried: [UInt32],
        here: Set<UInt32>,
        dropped: Set<UInt32>,
        isFresh: Bool
    ) -> [SlotFate] {
        slots.map { slot in
            let outcome: Outcome =
                if dropped.contains(slot.number) {
                    .dropped
                } else if isFresh {
                    here.contains(slot.number) && slot.kind == .passphrase ? .remade : .ended
                } else if carried.contains(slot.number) {
                    .carried
                } else if !here.contains(slot.number) {
                    .ended
                } else {
                    slot.kind == .secretService ? .renewed : .remade
                }
            return SlotFate(slot: slot, outcome: outcome)
        }
    }
}
