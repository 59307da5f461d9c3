internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import SecretServiceStore
internal import System
internal import Text
internal import VaultKit
internal import VaultLifecycle

extension RekeyCommand {
    /// The next key epoch of a vault in the keyring, which has no key of its own.
    func rekey(inKeyring found: FoundVault, _ place: VaultPlace, _ context: Context) async throws {
        guard drop.isEmpty, file == nil else {
            throw Failure.usage(
                "a vault in the keyring has no key slots",
                hint: "hsip vault rekey, or --fresh to end what opens its backups"
            )
        }
        let unlocker = context.unlocker(place)
        // A secret that is named opens the backups, and not the vault.
        let opened = try context.explaining {
            try unlocker.open(found, by: nil, context.patience, OpenOptions(), now: context.now).store
        }
        guard case .keyring(let store) = opened else { throw StoreError.conflict }
        let rekey = try look(store, place, context)
        let question = context.question("Go on?", after: Self.lines(rekey, context))
        guard try context.agrees(question) else { throw ConsoleError.refused }
        let outcome = try await rekey.run(context.vault(over: store), now: context.now)
        // As for a file, report the change before the backups.
        try tell(outcome, opened, place, context)
        let backups =
            rekey.isBackedUpFurther
            ? FirstBackups.make(
                of: KeyringCopies(store),
                found,
                at: place,
                showing: context,
                now: context.now
            ) : []
        try tell(backups, outcome, rekey, opened, place, context)
    }

    /// What will become of the backups; a secret that was named goes on opening them.
    private func look(
        _ store: SecretServiceStore,
        _ place: VaultPlace,
        _ context: Context
    ) throws -> KeyringRekey {
        func planned(_ unlock: Unlock?) throws -> KeyringRekey {
            try KeyringRekey(
                store,
                at: context.locator(place),
                typed: unlock,
                isFresh: fresh,
                showing: context,
                now: context.now
            )
        }
        guard !fresh, let source = try context.secretSource(of: place), source.isNamed else {
            return try planned(nil)
        }
        let typed = try context.explaining {
            try context.unlocker(place).trying(source) { _ throws(StoreError) in }.1
        }
        return try planned(typed)
    }

    private func tell(
        _ outcome: KeyringRekey.Outcome,
        _ opened: OpenedStore,
        _ place: VaultPlace,
        _ context: Context
    ) throws {
        var sheet = FactSheet()
        context.addVault(opened, place, to: &sheet)
        sheet.add("Generation", "\(outcome.position.epoch).\(outcome.position.generation)")
        sheet.add("Records", "\(outcome.records)")
        sheet.add("Offers closed", "\(outcome.offersClosed)")
        try context.output.facts(sheet)
        context.tell(outcome.memoryFailure, keptFrom: context.config(place))
    }

    private func tell(
        _ backups: [FirstBackups.Attempt],
        _ outcome: KeyringRekey.Outcome,
        _ rekey: KeyringRekey,
        _ opened: OpenedStore,
        _ place: VaultPlace,
        _ context: Context
    ) throws {
        let made = try Self.tell(backups, context)
        if !made.contains(where: { $0.check == .full }), !rekey.fates.isEmpty {
            context.output.hint(
                rekey.isBackedUpFurther
                    ? "hsip vault backup --to DIR  makes the first backup under the new key"
                    : "hsip vault backup --to DIR  asks for the passphrase of the backups that follow"
            )
        }
        try context.output.succeed([
            "vault": .vault(place, opened), "keyEpoch": .integer(Int64(outcome.position.epoch)),
            "generation": .integer(Int64(clamping: outcome.position.generation)),
            "records": .integer(Int64(outcome.records)), "slots": .list([]), "gone": .list([]),
            "offersClosed": .integer(Int64(outcome.offersClosed)), "outputFile": .null,
            "backups": .list(made.map { .text($0.copy.path) }),
        ])
    }

    /// What a rekey does there and what it does not, said before the question.
    private static func lines(_ rekey: KeyringRekey, _ context: Context) -> [String] {
        var lines = [
            "The vault lies in the keyring and has no key of its own: its \(Plural.of(rekey.records, "record")) "
                + "stay under the keyring's password. Sessions go on.",
            "Copies of the keyring from before, and backups, cannot take the place of this vault any more.",
            "Who read the keyring's items knows them. You change the keyring's own password in the keyring "
                + "(Seahorse).",
        ]
        if !rekey.fates.isEmpty { lines.append("The backups that follow get a new key:") }
        for fate in rekey.fates {
            let reason =
                fate.stays
                ? "goes on opening them"
                : fate.slot.kind == .passphrase ? "--passphrase-file FILE  keeps it" : "is not carried over"
            lines.append(
                line(
                    fate.stays ? "stays" : "goes ",
                    "\(fate.slot.number)",
                    fate.slot.kind,
                    fate.slot.label,
                    reason,
                    context
                )
            )
        }
        if rekey.openOffers > 0 { lines.append("\(Plural.of(rekey.openOffers, "open offer")) closed.") }
        return lines
    }
}
