internal import CommandKit
internal import Console
internal import FileStore
internal import RecordStore
internal import VaultLifecycle

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
                fields: [JSONMember("cause", .text(error.explanation.name))]
            )
        )
    }
}
