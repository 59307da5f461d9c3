internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import SecretServiceStore
internal import System
internal import Text
internal import VaultCrypto
internal import VaultLifecycle

/// What people read of a repair: a sheet, a table by kinds, and names.
extension RepairReport {
    /// Names of one list that are shown to people; the JSON has more.
    private static let mostShown = 50
    /// Paths of items are shown whole, so that a person can look them up in other programs.
    private static let longestPath = 400

    /// Shows the report, and ends well or with `repairIncomplete`.
    func tell(_ context: Context) throws {
        try context.output.facts(sheet(context))
        try context.output.table(table)
        for names in names { tell(names.list, names.words, context) }
        tellItems(context)
        tellSlots(context)
        if report.isCutShort {
            context.output.note(
                "the file has more that looks like parts of a vault than is read: a person made it so; what is hidden by "
                    + "that is not in the new vault"
            )
        }
        context.output.note(
            "sessions of a repaired vault count as restored: hsip renews them before it sends anything"
        )
        let restore = target.map { "hsip vault restore \(ShellWord.path($0)) --force" }
        guard report.isComplete else {
            throw Failure(
                .repairIncomplete,
                incompleteness,
                hint: report.onlyInBackup.count > 0
                    ? "--take-missing  adds the records that only the backup has" : restore,
                details: json
            )
        }
        if let restore { context.output.hint("\(restore)  replaces the vault by it") }
        try context.output.succeed(json)
    }

    private func sheet(_ context: Context) -> FactSheet {
        var sheet = FactSheet()
        let state = report.isComplete ? Cell("whole", tone: .good) : Cell("incomplete", tone: .danger)
        if let target {
            sheet.add("Repaired", context.path(target), state)
        } else {
            sheet.add("Found", source.map { context.path($0) } ?? Cell("in the keyring"), state)
        }
        sheet.add("Id", Hex.encode(vaultID))
        if let vault { sheet.add("Generation", "\(vault.position.epoch).\(vault.generation)") }
        sheet.add("Records", "\(report.kept)")
        let isVouched = report.areSlotsVouched
        switch backend {
        case .file:
            sheet.add("Slots", Cell("\(slotCount)"), Cell(isVouched ? "vouched" : "not vouched for"))
            sheet.add("Lanes", Cell("\(report.vouchedLanes)"), Cell("of \(report.lanes) vouched"))
        case .secretService:
            if slotCount > 0 { sheet.add("Slots", "\(slotCount)") }
            if isRootFromCopy { sheet.add("Root", "the copy on this machine") }
        }
        for (number, lanes) in lanesAsInBackup {
            sheet.add("As backup", Cell("\(lanes)"), context.path(backups[number]))
        }
        if unreadableBlocks > 0 { sheet.add("Unreadable", "\(unreadableBlocks) blocks of 4 KiB") }
        return sheet
    }

    private var table: Table {
        var table = Table([Column("kind")] + Self.numbers.map { Column($0.column, .right) })
        for (kind, tally) in kinds {
            table.add([Cell(kind.rawValue)] + Self.numbers.map { Cell("\(tally[keyPath: $0.of])") })
        }
        return table
    }

    private func tell(_ names: SalvageReport.Names, _ words: String, _ context: Context) {
        for name in names.told.prefix(Self.mostShown) {
            let record = DamagedRecord(name.id, part: .body).words
            context.output.note("\(record)\(label(name.label, context)): \(words)")
        }
        if names.count > Self.mostShown {
            context.output.note("\(names.count - Self.mostShown) more: \(words); --json lists them")
        }
    }

    private func label(_ label: String, _ context: Context) -> String {
        label.isEmpty ? "" : " (\(context.output.display.cell(label)))"
    }

    /// Items of the keyring that do not hold what they should.
    private func tellItems(_ context: Context) {
        for item in damagedItems.prefix(Self.mostShown) {
            let path = context.output.display.cell(item.path, columns: Self.longestPath)
            context.output.note("item \(path)\(label(item.label, context)): it cannot be read")
        }
        if damagedItems.count > Self.mostShown {
            let more = damagedItems.count - Self.mostShown
            context.output.note("\(more) more items that cannot be read; --json lists them")
        }
    }

    /// Which slots were found, where nothing vouches for them: one that was removed may be among them.
    private func tellSlots(_ context: Context) {
        guard !report.areSlotsVouched else { return }
        for slot in slots {
            let fate =
                slot.isTaken
                ? "taken, and nothing vouches for it; if you had removed it: hsip vault slot rm \(slot.number)"
                : "left out, because you may have removed it; --all-slots keeps it"
            context.output.note(
                "key slot \(slot.number), \(slot.kind.word)\(label(slot.label, context)): \(fate)"
            )
        }
    }

    /// Why it is not called whole, in one sentence.
    private var incompleteness: String {
        var parts: [String] = []
        if let later = report.laterEpoch {
            parts.append(
                "this is the vault as it was before its key was changed (key epoch \(epoch), and \(later) is "
                    + "named)" + (backend == .file ? ": try another secret" : "")
            )
        }
        if report.head == nil {
            parts.append(
                backend == .file
                    ? "the head of the vault is lost, so hsip cannot tell what is missing"
                    : "this older form of a vault does not count its records, so hsip cannot tell what is missing"
            )
        } else if report.lostCommits > 0 {
            parts.append("newest commits missing: \(report.lostCommits)")
        }
        let gone = report.lost.count + (report.unnamedLost ?? 0)
        if gone > 0 { parts.append("records lost: \(gone), known by name: \(report.lost.count)") }
        if report.older.count > 0 { parts.append("left in an older version: \(report.older.count)") }
        if report.doubtful > 0 { parts.append("records that nothing vouches for: \(report.doubtful)") }
        if !report.areSlotsVouched { parts.append("nothing vouches for the key slots") }
        if parts.isEmpty { parts.append("a record may be missing") }
        return "not all of the vault is there: " + parts.joined(separator: "; ")
    }
}
