internal import CommandKit
internal import Console
internal import Programs
internal import RecordStore
internal import VaultLifecycle

extension RestoreCommand {
    /// Accepts the vault as it is here: an old file or keyring was put back, or it is a copy.
    ///
    /// - Throws: a usage error without `--accept-rollback`, which says that this is meant.
    func takeAsItIs(_ place: VaultPlace, _ context: Context) throws {
        guard acceptsRollback else {
            throw Failure.usage(
                "which backup?",
                hint: "hsip vault restore FILE, or --accept-rollback for the vault as it lies here"
            )
        }
        guard !force else {
            throw Failure.usage("--force puts a backup in a vault's place; name it")
        }
        var options = OpenOptions()
        options.acceptsRollback = true
        let store = try context.open(try context.find(place), at: place, options)
        let question = "Take the vault as it is? Sessions, contacts and hosts then count as restored."
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
        context.output.note("what was sent under sessions since is unknown: they are renewed first")
        if !isCarried {
            context.output.note(
                "keys, contacts and hosts that ended since may count again: compare those that status lists"
            )
            context.output.note(
                "rules, and the conditions of SSH keys, are as they were then: hsip agent rule list, hsip ssh key list"
            )
        }
        context.output.hint("hsip status")
    }
}
