internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import System
internal import VaultLifecycle

extension RestoreCommand {
    /// Accepts the vault as it is here: an old file or keyring was put back, or it is a copy.
    ///
    /// - Throws: a usage error without `--accept-rollback`, which says that this is meant.
    func takeAsItIs(_ place: VaultPlace, _ context: Context) throws {
        guard acceptsRollback else {
            throw Failure.usage(
                "name the backup to restore",
                hint: "hsip vault restore FILE, or --accept-rollback for the vault on disk"
            )
        }
        guard !force else {
            throw Failure.usage("--force replaces the vault by a backup; name the backup")
        }
        var options = OpenOptions()
        options.acceptsRollback = true
        let store = try context.open(try context.find(place), at: place, options)
        // In a keyring the vault's first item may have been put back by that.
        context.hasChanged = store.backend == .secretService
        let question =
            "Accept the vault on disk as it is? Sessions, contacts and hosts then count as restored."
        guard try context.agrees(question) else { throw ConsoleError.refused }
        let status = try store.acceptRollback()
        var sheet = FactSheet()
        context.addVault(store, place, to: &sheet)
        sheet.add("Generation", "\(status.position.epoch).\(status.position.generation)")
        sheet.add("Records", "\(status.records)")
        try context.output.facts(sheet)
        tellWhatFollows(isCarried: false, context)
        try context.output.succeed([
            "vault": .vault(place, store), "kept": .null,
            "keyEpoch": .integer(Int64(status.position.epoch)), "backupGeneration": .null,
            "generation": .integer(Int64(clamping: status.position.generation)),
            "records": .integer(Int64(clamping: status.records)),
            "slots": status.slots.map { .integer(Int64($0)) } ?? .null, "carried": .bool(false),
        ])
    }

    /// What has to be done after a restore.
    func tellWhatFollows(isCarried: Bool, _ context: Context) {
        context.output.note("messages sent since then are unknown, so hsip renews the sessions first")
        if !isCarried {
            context.output.note(
                "keys, contacts and hosts that ended since may count again: verify those that hsip status lists"
            )
            context.output.note(
                "rules, and the conditions of SSH keys, are as they were then: hsip agent rule list, hsip ssh key list"
            )
        }
        context.output.hint("hsip status")
    }
}

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
                        + Failure(error).message,
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
