package import FileStore
package import RecordStore
package import VaultCrypto

/// A key slot that a device of this machine opens now, if a person does what it needs.
package struct HardwareOffer: Sendable {
    /// The slot.
    package let slot: SlotOverview
    /// The security key; nil for the TPM.
    package let key: KeyLook?
    /// Whether a PIN has to be typed.
    package let needsPIN: Bool
    /// How many wrong PINs the device accepts; nil if it does not say.
    package let triesLeft: UInt32?

    /// Whether a wrong PIN would lock a security key for good.
    package var isLastTry: Bool { key != nil && needsPIN && (triesLeft ?? 0) <= 1 }
}

/// The key slots of a vault that devices open.
package struct HardwareSlots: Sendable {
    private let vaultID: [UInt8]
    private let slots: [SlotOverview]
    private let client: HardwareClient

    /// The slots of a vault file; with `number` this one alone.
    package init(of overview: FileOverview, _ client: HardwareClient, slot number: UInt32? = nil) {
        vaultID = overview.vaultID
        slots = overview.slots.filter { number == nil || $0.number == number }
        self.client = client
    }

    /// What a person can do here, the easiest first: touch a key, or type the PIN of a key or the TPM.
    ///
    /// A device that does not answer offers nothing.
    package var offers: [HardwareOffer] { ((try? keyOffers()) ?? []) + ((try? tpmOffers()) ?? []) }

    /// The security keys that open a slot.
    ///
    /// - Throws: `store(.noSuchSlot)`; `unfit`, `otherKey` if no key opens one; what keeps this login from the keys.
    package func keyOffers() throws(OpeningError) -> [HardwareOffer] {
        let wanted = slots.filter { $0.kind == .securityKey }
        guard !wanted.isEmpty else { throw .store(.noSuchSlot) }
        var params: [FIDO2Params] = []
        for slot in wanted {
            guard case .securityKey(let found)? = slot.device else { throw .store(.tampered(.slots)) }
            params.append(found)
        }
        let keys = try asOpeningError { try client.keys(params) }
        guard keys.contains(where: \.isFit) else { throw .hardware(.key(.unfit)) }
        var (sure, perhaps): ([HardwareOffer], [HardwareOffer]) = ([], [])
        for (index, slot) in zip(params.indices, wanted) {
            for key in keys where key.matches[index] != .no {
                let needsPIN = params[index].isVerified && !key.hasFinger
                let offer = HardwareOffer(
                    slot: slot,
                    key: key,
                    needsPIN: needsPIN,
                    triesLeft: key.triesLeft
                )
                if key.matches[index] == .yes { sure.append(offer) } else { perhaps.append(offer) }
            }
        }
        guard let first = (sure + perhaps).first else { throw .hardware(.key(.otherKey)) }
        if first.needsPIN, first.triesLeft == 0 { throw .hardware(.key(.pinBlocked)) }
        return sure.filter { !$0.needsPIN } + sure.filter(\.needsPIN) + perhaps
    }

    /// The slots with a PIN that the TPM opens.
    ///
    /// - Throws: `hardware` if no PIN opens any of them now: another TPM, a lockout.
    package func tpmOffers() throws(OpeningError) -> [HardwareOffer] {
        var offers: [HardwareOffer] = []
        var failure = OpeningError.store(.noSuchSlot)
        for slot in slots where slot.kind == .tpm && slot.needsPIN {
            do throws(OpeningError) {
                let tries = try TPMSlot(of: vaultID, client).triesLeft(slot)
                offers.append(HardwareOffer(slot: slot, key: nil, needsPIN: true, triesLeft: tries))
            } catch {
                failure = error
            }
        }
        guard !offers.isEmpty else { throw failure }
        return offers
    }

    /// Lets the device open a slot; a wait for a touch ends once `stop` can be read.
    ///
    /// - Parameters:
    ///   - offer: The slot, and the device.
    ///   - pin: As it was typed; nil if the device needs no PIN.
    ///   - stop: A descriptor; nil to wait until the device gives up.
    /// - Returns: the secret of the slot.
    /// - Throws: what the device refuses.
    package func unlock(
        _ offer: HardwareOffer,
        pin: Secret?,
        until stop: Int32? = nil
    ) throws(OpeningError) -> Unlock {
        guard let key = offer.key else {
            let pin = try pin.map { (pin) throws(OpeningError) in try TPMSlot.pin(try Self.bytes(pin)) }
            return try TPMSlot(of: vaultID, client).unlock(offer.slot, pin: pin)
        }
        let pin = try pin.map { (pin) throws(OpeningError) in try Self.normal(pin) }
        return try KeySlot(of: vaultID, client).unlock(offer.slot, by: key, pin: pin, until: stop)
    }

    /// A PIN of a security key in normalisation form C, as the standard has it.
    package static func normal(_ pin: Secret) throws(OpeningError) -> Secret {
        let typed = try bytes(pin)
        do throws(StoreError) { return try TypedSecret.passphrase(typed) } catch { throw .store(error) }
    }

    private static func bytes(_ pin: Secret) throws(OpeningError) -> SecretBytes {
        try GivenSecret(pin).secret(attempt: 1)
    }
}

extension SlotOverview {
    /// Whether a TPM asks for a PIN.
    package var needsPIN: Bool {
        if case .tpm(let params)? = device { params.hasPIN } else { false }
    }
}
