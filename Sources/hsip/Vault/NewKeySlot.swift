internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import System
internal import VaultCrypto
internal import VaultLifecycle

extension SlotMaking {
    /// Makes a credential on a security key, and writes its slot.
    ///
    /// - Returns: the number of the slot.
    func makeOnKey(_ act: KeySlots.Act, in slots: KeySlots, _ context: Context) throws -> UInt32 {
        try refuseTyped()
        guard !tpm.noPin || tpm.newPinFile == nil else {
            throw Failure.usage("--no-pin and --new-pin-file exclude each other")
        }
        // Nobody touches a key twice for a slot that has no place.
        let others = try slots.store.slots()
        let keys = others.filter { $0.kind == .securityKey }
        let isFull = others.count >= Keyslots.maximum || keys.count >= Keyslots.maximumOfAKind
        guard act != .add || !isFull else { throw StoreError.slotLimit }
        let key = try pluggedIn(context)
        let asksPIN = key.hasPIN && !key.hasFinger && !tpm.noPin
        let pin = asksPIN || tpm.newPinFile != nil ? try pin(of: key, context) : nil
        context.output.say("Touch the security key \(PINQuestion.name(key)) twice.")
        let new = try context.explaining { () throws(OpeningError) in
            try make(on: key, pin, slots, context)
        }
        let number = try slots.write(new, act) {}
        context.output.note("a key can be lost or reset; keep the recovery code, and add a second key")
        return number
    }

    /// Keys of the first kind want their PIN for a credential although a touch is enough to use it.
    private func make(
        on key: KeyLook,
        _ pin: Secret?,
        _ slots: KeySlots,
        _ context: Context
    ) throws(OpeningError) -> NewSlot {
        let making = KeySlot(of: slots.store.vaultID, context.hardware)
        let name = NameRules.normalized(label ?? SlotGroup.Kind.fido2.label)
        do throws(OpeningError) {
            return try making.make(on: key, touchOnly: tpm.noPin, pin: pin, label: name)
        } catch .hardware(.key(.pinNeeded)) where pin == nil {
            let pin = try self.pin(of: key, context)
            return try making.make(on: key, touchOnly: tpm.noPin, pin: pin, label: name)
        }
    }

    /// The one key that is plugged in and can make secrets.
    private func pluggedIn(_ context: Context) throws -> KeyLook {
        let keys: [KeyLook]
        do throws(HardwareError) { keys = try context.hardware.keys() } catch {
            throw Failure(error)
        }
        let fit = keys.filter(\.isFit)
        guard let key = fit.first else { throw Failure(HardwareError.key(.unfit)) }
        guard fit.count == 1 else {
            throw Failure(
                .inputNeeded,
                "\(fit.count) security keys are plugged in",
                hint: "unplug the others"
            )
        }
        return key
    }

    /// The PIN of the key, from a file or typed; the last try is not spent without `--last-tries`.
    private func pin(of key: KeyLook, _ context: Context) throws(OpeningError) -> Secret {
        guard key.hasPIN else { throw .hardware(.key(.noPIN)) }
        guard (key.triesLeft ?? 0) > 1 || context.globals.takesLastTries else { throw .lastTries }
        if let file = tpm.newPinFile {
            return try HardwareSlots.normal(Secret(try NamedSecret(.file(file)).secret()))
        }
        let left = key.triesLeft.map { " (it accepts \($0) wrong ones)" } ?? ""
        let typed: SecretBytes
        do throws(ConsoleError) {
            typed = try context.terminal.askHidden(
                "PIN of the security key \(PINQuestion.name(key))\(left)",
                flag: "--new-pin-file FILE"
            )
        } catch {
            throw .file(error)
        }
        guard typed.count > 0 else { throw .file(.refused) }
        return try HardwareSlots.normal(Secret(typed))
    }
}
