package import FileStore
package import RecordStore
package import VaultCrypto

/// Key slots that the TPM of this machine opens.
package struct TPMSlot: Sendable {
    private let vaultID: [UInt8]
    private let client: HardwareClient

    /// The slots of a vault.
    package init(of vaultID: [UInt8], _ client: HardwareClient) {
        (self.vaultID, self.client) = (vaultID, client)
    }

    /// A PIN as a slot needs it: in normalisation form C.
    ///
    /// - Throws: `badPIN` if it is too short or too long.
    package static func pin(_ typed: borrowing SecretBytes) throws(OpeningError) -> Secret {
        let pin: Secret
        do throws(StoreError) { pin = try TypedSecret.passphrase(typed) } catch { throw .store(error) }
        guard HardwareSecret.pinSizes.contains(pin.count) else { throw .badPIN }
        return pin
    }

    /// The slots that a TPM opens: those without a PIN first.
    package static func all(of overview: FileOverview) -> [SlotOverview] {
        let slots = overview.slots.filter { $0.kind == .tpm }
        return slots.filter { !$0.needsPIN } + slots.filter(\.needsPIN)
    }

    /// How many wrong PINs the TPM accepts before a slot is tried.
    ///
    /// - Throws: `hardware` for a slot that no PIN opens now: another TPM, a lockout.
    package func triesLeft(_ slot: SlotOverview) throws(OpeningError) -> UInt32 {
        guard case .tpm(let params)? = slot.device else { throw .store(.tampered(.slots)) }
        let lockout = try asOpeningError { try client.devices(params) }
        guard lockout.triesLeft > 0 else { throw .hardware(.tpm(.lockout(seconds: lockout.seconds))) }
        return lockout.triesLeft
    }

    /// Seals a new secret in the TPM.
    ///
    /// - Parameters:
    ///   - pin: What has to be typed at every opening; nil for nothing.
    ///   - registers: A bit for each register of the SHA-256 bank that must not change.
    ///   - label: The name of the slot.
    /// - Returns: a slot to be written.
    /// - Throws: what the TPM refuses.
    package func make(pin: Secret?, registers: UInt32, label: String) throws(OpeningError) -> NewSlot {
        let salt = Entropy.system.bytes(PasswordHash.saltSize)
        let sealed: Secret
        do throws(CryptoError) { sealed = Secret(try Entropy.system.secret(HardwareSecret.size)) } catch {
            throw .store(.outOfMemory)
        }
        let stretched = try stretch(pin, salt)
        let params = try asOpeningError { try client.seal(sealed, pin: stretched, registers: registers) }
        return NewSlot(.tpm(params), salt: salt, secret: try secret(sealed, stretched, salt), label: label)
    }

    /// Lets the TPM give back what opens a slot.
    ///
    /// - Throws: `store(.locked)` without a PIN that is needed; what the TPM refuses.
    package func unlock(_ slot: SlotOverview, pin: Secret?) throws(OpeningError) -> Unlock {
        guard case .tpm(let params)? = slot.device else { throw .store(.tampered(.slots)) }
        guard pin != nil || !params.hasPIN else { throw .store(.locked) }
        let stretched = try stretch(params.hasPIN ? pin : nil, slot.salt)
        let sealed = try asOpeningError { try client.open(params, pin: stretched) }
        return .tpm(try secret(sealed, stretched, slot.salt))
    }

    private func stretch(_ pin: Secret?, _ salt: [UInt8]) throws(OpeningError) -> StretchedPIN? {
        guard let pin else { return nil }
        return try asOpeningError { try StretchedPIN(pin, salt: salt) }
    }

    private func secret(
        _ sealed: Secret,
        _ pin: StretchedPIN?,
        _ salt: [UInt8]
    ) throws(OpeningError) -> Secret {
        try asOpeningError { try HardwareSecret.tpm(sealed, pin: pin, vaultID: vaultID, salt: salt) }
    }
}
