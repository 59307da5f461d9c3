internal import ArgumentParser
internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import System
internal import VaultCrypto
internal import VaultLifecycle

/// The options of a key slot that a device opens.
struct TPMOptions: ParsableArguments {
    @Flag(help: "Make a slot that opens without a PIN; a key by touch.")
    var noPin = false
    @Option(
        help: ArgumentHelp("Read the slot's PIN from the first line of this file.", valueName: "file"),
        completion: .file()
    )
    var newPinFile: String?
    @Option(
        help: ArgumentHelp("Refuse if these boot registers change: 7, or 4,7.", valueName: "numbers")
    )
    var pcrs: String?

    /// Whether any option was given.
    var isUsed: Bool { noPin || newPinFile != nil || pcrs != nil }

    /// The registers as a slot keeps them: a bit each.
    func registers() throws(Failure) -> UInt32 {
        guard let pcrs else { return 0 }
        var mask: UInt32 = 0
        for word in pcrs.split(separator: ",", omittingEmptySubsequences: false) {
            guard let number = UInt32(word), number < 24 else {
                throw Failure.usage("--pcrs needs numbers from 0 to 23", hint: "--pcrs 7")
            }
            mask |= 1 << number
        }
        return mask
    }

    /// The new PIN, from a file or typed twice; nil if none is wanted.
    func pin(_ context: Context) throws -> Secret? {
        guard !noPin || newPinFile == nil else {
            throw Failure.usage("--no-pin and --new-pin-file exclude each other")
        }
        if noPin { return nil }
        return try context.explaining {
            if let newPinFile { return try TPMSlot.pin(try NamedSecret(.file(newPinFile)).secret()) }
            let typed = try context.terminal.askTwice(
                "New PIN, \(HardwareSecret.pinSizes.lowerBound) to \(HardwareSecret.pinSizes.upperBound) bytes",
                again: "The same again",
                flag: "--new-pin-file FILE"
            )
            return try TPMSlot.pin(typed)
        }
    }
}

extension SlotMaking {
    /// A slot of a device has no passphrase and no recovery code.
    func refuseTyped() throws(Failure) {
        guard secrets.file == nil, !secrets.weak, newPassphraseFile == nil else {
            throw Failure.usage("a slot of a device has no passphrase and no recovery code")
        }
    }

    /// Seals a new secret in the TPM, and writes its slot.
    ///
    /// - Returns: the number of the slot.
    func makeInTPM(_ act: KeySlots.Act, in slots: KeySlots, _ context: Context) throws -> UInt32 {
        try refuseTyped()
        let registers = try tpm.registers()
        let pin = try tpm.pin(context)
        let new = try context.explaining {
            try TPMSlot(of: slots.store.vaultID, context.hardware).make(
                pin: pin,
                registers: registers,
                label: NameRules.normalized(label ?? SlotGroup.Kind.tpm2.label)
            )
        }
        let number = try slots.write(new, act) {}
        if pin == nil {
            context.output.note("every program of this user can now open the vault on this computer")
        }
        return number
    }
}
