internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import Text
internal import VaultLifecycle

extension RekeyCommand {
    /// What becomes of the vault, said before the question.
    static func lines(_ rekey: VaultRekey, _ context: Context) -> [String] {
        var lines = [
            "A new key for the vault: \(Plural.of(rekey.records, "record")) sealed again. Sessions go on."
        ]
        for fate in rekey.fates {
            let word = fate.stays ? "stays" : "goes "
            lines.append(
                line(word, "\(fate.slot.number)", fate.slot.kind, fate.slot.label, fate.reason, context)
            )
        }
        for fate in rekey.fates where fate.outcome == .renewed {
            lines.append(line("new  ", "", .secretService, fate.slot.label, "a new item", context))
        }
        if rekey.needsCode {
            lines.append(line("new  ", "", .recovery, rekey.codeLabel, "is made now", context))
        }
        lines.append(
            "Backups and old copies stay as they are: they open by what opened them, and cannot take the place of "
                + "this vault any more."
        )
        if rekey.openOffers > 0 { lines.append("\(Plural.of(rekey.openOffers, "open offer")) closed.") }
        return lines
    }

    static func line(
        _ word: String,
        _ number: String,
        _ kind: SlotKind,
        _ label: String,
        _ reason: String,
        _ context: Context
    ) -> String {
        let number = String(repeating: " ", count: max(0, 4 - number.count)) + number
        let kind = kind.word + String(repeating: " ", count: max(0, 14 - kind.word.count))
        return "  \(word)\(number)  \(kind)  \(context.output.display.cell(label)): \(reason)"
    }
}

extension SlotFate {
    /// Why it stays or goes, for people.
    fileprivate var reason: String {
        switch outcome {
        case .carried:
            if Sharing(slot) != nil {
                "the shares that people hold still work"
            } else {
                slot.kind.isRecovery ? "the code on paper still works" : "it need not be at hand"
            }
        case .remade: "with the secret you just typed"
        case .renewed: "a new secret replaces it"
        case .dropped: "as you asked"
        case .ended: "its secret is not available here, or is not kept"
        }
    }
}

/// What came of the first backups under a new key.
extension RekeyCommand {
    /// Tells which were made, and which folders took none.
    ///
    /// - Returns: those that were made.
    /// - Throws: what ends the output.
    static func tell(_ backups: [FirstBackups.Attempt], _ context: Context) throws -> [MadeBackup] {
        let made = backups.compactMap { try? $0.result.get().made }
        var sheet = FactSheet()
        for copy in made {
            let state = copy.check == .full ? Cell("sound", tone: .good) : Cell("damaged", tone: .danger)
            sheet.add("Backup", context.path(copy.copy.path), state)
        }
        if !made.isEmpty { try context.output.facts(sheet) }
        for case (let folder, .failure(let error)) in backups.map({ ($0.folder, $0.result) }) {
            let refusal = (error as? FolderBackup.Refusal).map { BackupCommand.explain($0, context) }
            let reason = (refusal ?? Failure(error)).message
            context.output.note("no backup in \(context.path(folder).shown): \(reason)")
        }
        return made
    }
}
