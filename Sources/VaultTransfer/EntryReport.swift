package import Console
package import Credentials
internal import ImportFormats
internal import Presentation
package import SafeText
package import VaultKit

/// The result of importing entries of another program: what was made, what was there, and what stayed behind.
package struct EntryReport {
    let form: ImportForm
    /// What the outcomes are of; empty for the secrets of an export.
    var entries: [EntryImport.Entry] = []
    /// Entries that became SSH keys.
    var keys: [EntryImport.Entry] = []
    var refused: [RefusedEntry] = []
    let outcomes: [CredentialImportOutcome]
    /// The result for the SSH keys and hosts of an export or a folder.
    var bundle: VaultBundleOutcome?
    let isTrial: Bool

    /// The report of entries of another program.
    package init(
        _ entries: EntryImport,
        form: ImportForm,
        _ outcomes: [CredentialImportOutcome],
        _ bundle: VaultBundleOutcome?,
        isTrial: Bool
    ) {
        self.init(form: form, outcomes, bundle, isTrial: isTrial)
        (self.entries, keys, refused) = (entries.entries, entries.keys, entries.refused)
    }

    /// The report of an export of a vault, or of a folder.
    package init(
        form: ImportForm,
        _ outcomes: [CredentialImportOutcome],
        _ bundle: VaultBundleOutcome?,
        isTrial: Bool
    ) {
        (self.form, self.outcomes, self.bundle, self.isTrial) = (form, outcomes, bundle, isTrial)
    }

    var stored: Int { outcomes.count(where: \.isStored) }

    /// Keys and hosts that stayed behind.
    var left: Int { ((bundle?.keys ?? []) + (bundle?.hosts ?? [])).count { $0.act == .nameTaken } }

    /// Whether the vault has all that was in the export but earlier values: only then is the file of no more use.
    package var isWhole: Bool {
        refused.isEmpty && left == 0 && (entries + keys).allSatisfy { Self.left(of: $0).isEmpty }
            && outcomes.allSatisfy { $0.isStored || $0.act == .known }
    }

    /// Why the import counts as failed: the vault has no entry of it, neither new nor known.
    ///
    /// Its lines name each entry, as a failure has no table.
    package func failure(_ display: Display) -> Failure? {
        let parts = (bundle?.keys ?? []) + (bundle?.hosts ?? [])
        guard !outcomes.contains(where: { $0.isStored || $0.act == .known }),
            !parts.contains(where: { $0.act != .nameTaken })
        else { return nil }
        var failure = Failure(
            .nothingImported,
            outcomes.isEmpty && parts.isEmpty && refused.isEmpty
                ? "the export has no entries" : "no entry of the export was imported",
            hint: outcomes.isEmpty ? nil : "--on-duplicate rename",
            details: json
        )
        let lines =
            outcomes.map { "\(display.cell($0.given)): \(word($0).shown)" }
            + refused.map { "\(display.cell(title(of: $0))): \(ImportTexts.reason($0.reason))" }
        failure.explanation =
            lines.count <= Self.shownLines
            ? lines : lines.prefix(Self.shownLines) + ["… \(lines.count - Self.shownLines) more"]
        return failure
    }

    private static let shownLines = 100

    func count(_ act: CredentialImportOutcome.Act) -> Int { outcomes.count { $0.act == act } }

    /// Every entry.
    ///
    /// `isBrief` leaves out what is simply new, for people; the report of a trial has all of it.
    package func table(_ display: Display, isBrief: Bool) -> Table {
        var table = Table([Column("entry"), Column("result", .left, .wrapped), Column("name", .left, .whole)])
        let isBrief = isBrief && !isTrial
        for outcome in outcomes where !isBrief || outcome.act != .added || outcome.twin != nil {
            table.add([
                Cell(peer: outcome.given, display), word(outcome),
                Cell(own: outcome.name, display),
            ])
        }
        for part in (bundle?.keys ?? []) + (bundle?.hosts ?? []) where !isBrief || part.act != .added {
            table.add([
                Cell(peer: part.given, display), word(part.act),
                Cell(own: part.name, display),
            ])
        }
        for (index, entry) in (entries + keys).enumerated() {
            // Of what is there already nothing stays behind by this import.
            if outcomes.indices.contains(index), !outcomes[index].isStored { continue }
            for part in Self.left(of: entry) {
                table.add([
                    Cell(own: entry.name, display),
                    Cell(ImportTexts.leftOut(part.0), value: part.0.rawValue, tone: .soon),
                    Cell(own: part.name, display),
                ])
            }
        }
        for entry in refused {
            table.add([
                Cell(own: title(of: entry), display),
                Cell(ImportTexts.reason(entry.reason), value: entry.reason.rawValue, tone: .soon), Cell(""),
            ])
        }
        return table
    }

    /// What stays behind of an entry, each file by its name; earlier values are no part of it.
    static func left(of entry: EntryImport.Entry) -> [(OmittedPart, name: String)] {
        entry.leftOut.filter { $0 != .history }.flatMap { part in
            part == .attachments ? entry.candidate.attachments.map { (part, $0) } : [(part, "")]
        }
    }

    /// Its title, or its number.
    private func title(of entry: RefusedEntry) -> String {
        entry.title.isEmpty ? "\(form.isTable ? "line" : "entry") \(entry.place)" : entry.title
    }

    private func word(_ act: VaultBundleOutcome.Part.Act) -> Cell {
        switch act {
        case .added: Cell(isTrial ? "would be imported" : "imported", value: "added", tone: .good)
        case .renamed: Cell("under another name", value: "renamed", tone: .soon)
        case .updated: Cell("updated", tone: .good)
        case .restored: Cell("from the trash", value: "restored", tone: .good)
        case .known: Cell("known already", value: "known", tone: .past)
        case .nameTaken: Cell("name taken, skipped", value: "nameTaken", tone: .danger)
        }
    }

    private func word(_ outcome: CredentialImportOutcome) -> Cell {
        switch outcome.act {
        case .added: Cell(isTrial ? "would be imported" : "imported", value: "added", tone: .good)
        case .renamed: Cell("under another name", value: "renamed", tone: .soon)
        case .versioned: Cell("new version", value: "versioned", tone: .good)
        case .restored: Cell("from the trash", value: "restored", tone: .good)
        case .known: Cell("known already", value: "known", tone: .past)
        case .nameTaken: Cell("name taken, skipped", value: "nameTaken", tone: .danger)
        case .twin: Cell("same address and user, skipped", value: "twin", tone: .past)
        }
    }
}
