internal import CommandKit
internal import Console
internal import FileStore
internal import RecordStore
internal import VaultLifecycle

extension RestoreCommand {
    /// The passphrase of a vault that shares bring back, before anything is changed; nil where something else opens it.
    func newPassphrase(_ context: Context) throws -> NewPassphrase? {
        guard context.globals.asksShares else { return nil }
        context.output.say("The vault gets a new passphrase, so that it opens without the shares.")
        let passphrase = try context.newPassphrase(from: nil, allowsWeak: false, flag: "--shares")
        try context.handOver(passphrase, nil, to: nil)
        return passphrase
    }

    /// Adds the passphrase to the vault that is in place now; where that fails, the vault is restored all the same, and the
    /// shares go on opening it.
    func add(
        _ passphrase: NewPassphrase,
        _ secret: Unlock,
        _ place: VaultPlace,
        _ context: Context
    ) {
        let new = NewSlot(.passphrase(passphrase.secret), label: "passphrase", parameters: .ofThisMachine)
        do {
            let store = try context.unlocker(place).open(with: secret)
            _ = try KeySlots(of: store, secret, showing: context).write(new, .add) {}
        } catch {
            let isFull = error == .slotLimit
            context.output.warn(
                Warning(
                    "passphraseNotAdded",
                    "the vault is restored, but the new passphrase does not open it: "
                        + Failures.explain(error).message,
                    hint: isFull
                        ? "hsip --shares vault slot set NUMBER"
                        : "hsip --shares vault slot add passphrase"
                )
            )
            return
        }
        context.output.note("the words were read out, so they are known: end the shares, and make new ones")
        context.output.hint("hsip vault shares end")
    }
}
