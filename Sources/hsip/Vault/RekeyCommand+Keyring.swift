internal import CommandKit
internal import Console
internal import Programs
internal import RecordStore
internal import SafeText
internal import VaultKit
internal import VaultLifecycle

extension RekeyCommand {
    /// The next key epoch of a vault in the keyring, which has no key of its own.
    func rekey(inKeyring found: FoundVault, _ place: VaultPlace, _ context: Context) async throws {
        guard drop.isEmpty, !fresh, file == nil else {
            throw Failure.usage("a vault in the keyring has no key slots", hint: "hsip vault rekey")
        }
        guard case .keyring(let store) = try context.open(found, at: place) else { throw StoreError.conflict }
        let rekey = try KeyringRekey(store, at: context.locator(place), now: context.now)
        let question = context.question("Go on?", after: Self.lines(rekey))
        guard try context.agrees(question) else { throw ConsoleError.refused }
        let outcome = try await rekey.run(context.vault(over: store), now: context.now)
        var sheet = FactSheet()
        context.addVault(.keyring(store), place, to: &sheet)
        sheet.add("Generation", "\(outcome.position.epoch).\(outcome.position.generation)")
        sheet.add("Records", "\(outcome.records)")
        sheet.add("Offers closed", "\(outcome.offersClosed)")
        try context.output.facts(sheet)
        if rekey.hasBackupKey {
            context.output.hint("hsip vault backup FILE  asks for the passphrase of the backups that follow")
        }
        try context.output.succeed([
            "vault": .vault(place, .keyring(store)),
            "keyEpoch": .integer(Int64(outcome.position.epoch)),
            "generation": .integer(Int64(clamping: outcome.position.generation)),
            "records": .integer(Int64(outcome.records)), "slots": .list([]), "gone": .list([]),
            "offersClosed": .integer(Int64(outcome.offersClosed)), "outputFile": .null, "backups": .list([]),
        ])
    }

    /// What a rekey does there and what it does not, said before the question.
    private static func lines(_ rekey: KeyringRekey) -> [String] {
        var lines = [
            "The vault lies in the keyring and has no key of its own: its \(Plural.of(rekey.records, "record")) "
                + "stay under the keyring's password. Sessions go on.",
            "Copies of the keyring from before, and backups, cannot take the place of this vault any more.",
            "Who read the keyring's items knows them. You change the keyring's own password in the keyring "
                + "(Seahorse).",
        ]
        if rekey.hasBackupKey {
            lines.append("The backups that follow get a new key: the next one asks for a passphrase.")
        }
        if rekey.openOffers > 0 { lines.append("\(Plural.of(rekey.openOffers, "open offer")) closed.") }
        return lines
    }
}
