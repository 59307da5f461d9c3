package import Presentation
package import Secrets
package import Text
package import VaultKit

/// The result of an import: the entries that are new, those already known, and those not imported.
package struct EntryReport {
    let form: ImportForm
    /// The entries of the outcomes; empty for the secrets of an export.
    var entries: [EntryImport.Entry] = []
    /// Entries that became SSH keys.
    var keys: [EntryImport.Entry] = []
    var refused: [RefusedEntry] = []
    let outcomes: [CredentialImportOutcome]
    /// The result for the SSH keys and hosts of an export or a folder.
    var bundle: VaultBundleOutcome?
    let isTrial: Bool

    /// Makes the report of entries of another program.
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

    /// Makes the report of a vault's export, or of a folder.
    package init(
        form: ImportForm,
        _ outcomes: [CredentialImportOutcome],
        _ bundle: VaultBundleOutcome?,
        isTrial: Bool
    ) {
        (self.form, self.outcomes, self.bundle, self.isTrial) = (form, outcomes, bundle, isTrial)
    }

    var stored: Int { outcomes.count(where: \.isStored) }

    /// The number of keys and hosts that were not imported.
    var left: Int { ((bundle?.keys ?? []) + (bundle?.hosts ?? [])).count { $0.act == .nameTaken } }

    /// Whether the vault has everything from the export except earlier values: only then is the file not needed any more.
    package var isWhole: Bool {
        refused.isEmpty && left == 0 && (entries + keys).allSatisfy { Self.left(of: $0).isEmpty }
            && outcomes.allSatisfy { $0.isStored || $0.act == .known }
    }

    /// The failure if the vault has no entry of the import, neither new nor known; otherwise nil.
    ///
    /// Its lines name the entries, because a failure has no table.
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
            outcomes.map { "\(display.cell($0.given)): \(word($0.act.rawValue).shown)" }
            + refused.map { "\(display.cell(title(of: $0))): \($0.reason.words)" }
        failure.lines =
            lines.count <= Self.shownLines
            ? lines : lines.prefix(Self.shownLines) + ["… \(lines.count - Self.shownLines) more"]
        return failure
    }

    private static let shownLines = 100

    func count(_ act: CredentialImportOutcome.Act) -> Int { outcomes.count { $0.act == act } }

    /// The parts of an entry that were not imported, each file by its name; earlier values are left out.
    static func left(of entry: EntryImport.Entry) -> [(OmittedPart, name: String)] {
        entry.leftOut.filter { $0 != .history }.flatMap { part in
            part == .attachments ? entry.candidate.attachments.map { (part, $0) } : [(part, "")]
        }
    }

    /// The data of `vault import`.
    package var json: JSONValue {
        [
            "form": .text(form.rawValue), "trial": .bool(isTrial),
            "counts": [
                "imported": .integer(Int64(stored)), "renamed": .integer(Int64(count(.renamed))),
                "versioned": .integer(Int64(count(.versioned))),
                "restored": .integer(Int64(count(.restored))), "known": .integer(Int64(count(.known))),
                "nameTaken": .integer(Int64(count(.nameTaken))), "refused": .integer(Int64(refused.count)),
            ],
            "entries": .list(
                outcomes.enumerated().map { index, outcome in
                    Self.json(outcome, entries.indices.contains(index) ? entries[index] : nil)
                }
            ),
            "refused": .list(refused.map { Self.json($0) }),
            "sshKeys": .list((bundle?.keys ?? []).map { Self.json($0) }),
            "sshHosts": .list((bundle?.hosts ?? []).map { Self.json($0) }),
            "knownHosts": (form.text == nil ? bundle : nil).map {
                ["added": .integer(Int64($0.knownHosts)), "conflicts": .integer(Int64($0.conflicts))]
            } ?? .null,
        ]
    }

    private static func json(_ outcome: CredentialImportOutcome, _ entry: EntryImport.Entry?) -> JSONValue {
        [
            "entry": .text(outcome.given), "name": .text(outcome.name),
            "outcome": .text(outcome.act.rawValue),
            "twin": .optional(outcome.twin), "place": .optional(entry.map { Int64($0.candidate.place) }),
            "leftOut": .list((entry?.leftOut ?? []).map { .text($0.rawValue) }),
            "attachments": .list((entry?.candidate.attachments ?? []).map { .text($0) }),
        ]
    }

    private static func json(_ entry: RefusedEntry) -> JSONValue {
        [
            "title": .text(entry.title), "place": .integer(Int64(entry.place)),
            "reason": .text(entry.reason.rawValue),
        ]
    }

    private static func json(_ part: VaultBundleOutcome.Part) -> JSONValue {
        ["given": .text(part.given), "name": .text(part.name), "outcome": .text(part.act.rawValue)]
    }
}
