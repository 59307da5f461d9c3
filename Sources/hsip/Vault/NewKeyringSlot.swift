internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import SecretServiceStore
internal import VaultLifecycle

/// A key slot of a vault file whose secret lies in the login keyring.
struct NewKeyringSlot {
    private let service: SecretService
    private let collection: CollectionInfo

    /// Unlocks the default keyring, asking at the desktop where that is allowed.
    init(_ context: Context) throws(StoreError) {
        service = try context.connect(context.patience)
        collection = try service.collection(.standard, making: false)
    }

    /// One slot is enough for a keyring.
    static func refuseSecond(_ store: FileStore, _ context: Context) throws {
        let isThere = try KeySlots.isInKeyring(store) { () throws(StoreError) in
            try context.connect(context.patience)
        }
        guard isThere else { return }
        throw Failure(
            .alreadyExists,
            "the vault has a slot for this keyring already",
            hint: "hsip vault slot test keyring"
        )
    }

    /// Makes item and slot; the result is the number of the slot.
    ///
    /// `name` is what the vault is called. Throws what the keyring or the vault refuses.
    func make(
        _ act: KeySlots.Act = .add,
        in slots: KeySlots,
        name: String,
        label: String = KeySlots.keyringLabel,
        _ context: Context
    ) throws(StoreError) -> UInt32 {
        let made = try slots.writeInKeyring(act, name: name, label: label, service, collection)
        context.companion = made.companion
        return made.number
    }

    /// Takes away what belonged to a slot that is gone from the vault; where the keyring cannot be had, that is
    /// said, and the slot is gone all the same.
    static func forget(_ number: UInt32, _ store: FileStore, _ context: Context) {
        do throws(StoreError) {
            // The end of the run has nothing to remember any more.
            if try KeySlots.isWithoutKeyring(store) { context.companion = nil }
            try KeySlots.forget(number, of: store, try context.connect(context.patience))
        } catch {
            context.output.note("its item stays in the keyring: \(error.explanation.message)")
        }
    }
}

/// One more way into a new vault file, offered at a desktop: the login keyring.
enum KeyringOffer {
    /// Asks at a terminal where a display is; no by default, and `--yes` does not say yes here.
    ///
    /// - Returns: the unlocked keyring; nil when it is not wanted, or not to be had.
    static func ask(_ context: Context) throws -> NewKeyringSlot? {
        guard context.mayAskAtDesktop, context.terminal.isAvailable, !context.globals.saysYes else {
            return nil
        }
        let question = "Let your desktop login open the vault without asking? Then locking protects little."
        guard try context.terminal.confirm(question, flag: "--keyring-slot") else { return nil }
        do throws(StoreError) {
            return try NewKeyringSlot(context)
        } catch {
            tell(error, context)
            return nil
        }
    }

    /// Adds the slot to a vault that was just made; a vault without it is a whole one, so a failure is only
    /// told.
    static func add(_ slot: NewKeyringSlot, to store: FileStore, _ vault: NewVault, _ context: Context) {
        do throws(StoreError) {
            // The recovery code opens it without the cost of a passphrase.
            let slots = KeySlots(of: store, .recovery(vault.recovery.secret), showing: context)
            _ = try slot.make(in: slots, name: vault.place.key, context)
        } catch {
            tell(error, context)
        }
    }

    private static func tell(_ error: StoreError, _ context: Context) {
        context.output.warn(
            Warning(
                "noKeyringSlot",
                "the keyring does not open the vault: \(error.explanation.message)",
                hint: "hsip vault slot add keyring",
                fields: ["cause": .text(error.explanation.name)]
            )
        )
    }
}
