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
