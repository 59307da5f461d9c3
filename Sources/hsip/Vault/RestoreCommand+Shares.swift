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

    /// Adds the passphrase to the vault that is in place now.
    func add(
        _ passphrase: NewPassphrase,
        _ secret: Unlock,
        _ place: VaultPlace,
        _ context: Context
    ) throws {
        let store = try context.unlocker(place).open(with: secret)
        let new = NewSlot(.passphrase(passphrase.secret), label: "passphrase", parameters: .ofThisMachine)
        do throws(StoreError) {
            _ = try KeySlots(of: store, secret, showing: context).write(new, .add) {}
        } catch .slotLimit {
            context.output.note("the vault has as many passphrases as it can have; the new one was not added")
            context.output.hint("hsip --shares vault slot set NUMBER")
            return
        }
        context.output.note("the words were read out, so they are known: end the shares, and make new ones")
        context.output.hint("hsip vault shares end")
    }
}
