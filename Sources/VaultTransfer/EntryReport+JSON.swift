package import Console
internal import Credentials
internal import ImportFormats
internal import VaultKit

extension EntryReport {
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
