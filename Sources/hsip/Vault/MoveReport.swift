internal import CommandKit
internal import Console
internal import RecordStore
internal import SafeText
internal import VaultLifecycle

/// What `vault migrate` says: where the vault is now, and what is kept of it elsewhere.
struct MoveReport {
    let place: VaultPlace
    let record: VaultRecord
    /// Where it was; nil when it was not moved by this call.
    var from: Location?
    var outcome: VaultMigration.Outcome?
    /// Where the recovery code went.
    var outputFile: String?

    func show(_ context: Context) throws {
        try context.output.facts(sheet(context))
        try context.output.succeed([
            "vault": .vault(place, id: record.id, record.backend ?? .file), "moved": .bool(outcome != nil),
            "location": record.location?.json ?? .null, "from": from?.json ?? .null,
            "records": .optional(outcome.map { Int64($0.records) }),
            "keyEpoch": .optional(outcome.map { Int64($0.position.epoch) }),
            "generation": .optional(outcome.map { Int64(clamping: $0.position.generation) }),
            "slots": outcome.map { .list($0.slots.map { .slot($0) }) } ?? .null,
            "outputFile": .optional(outputFile), "kept": .list(record.kept.map(\.json)),
            "interrupted": record.move?.json ?? .null,
        ])
    }

    private func sheet(_ context: Context) -> FactSheet {
        var sheet = FactSheet()
        switch record.location {
        case .keyring(let path, let label): context.addVault(in: path, label, to: &sheet)
        case .file, nil: context.addVault(place, to: &sheet)
        }
        if let outcome {
            sheet.add("Records", "\(outcome.records)")
            sheet.add("Generation", "\(outcome.position.epoch).\(outcome.position.generation)")
        }
        for copy in record.kept {
            let until = Cell("until \(Times.date(copy.until))", value: Times.rfc3339(copy.until))
            sheet.add("Kept", cell(copy.location, context), until)
        }
        if let note = record.move {
            let since = Cell("since \(Times.date(note.started))", value: Times.rfc3339(note.started))
            sheet.add("Interrupted", cell(note.target, context), since)
        }
        return sheet
    }

    private func cell(_ location: Location, _ context: Context) -> Cell {
        switch location {
        case .file(let path): Cell(location.text(context), value: path)
        case .keyring(let path, _): Cell(location.text(context), value: path)
        }
    }
}

/// Why a vault is not moved.
enum MoveRefusal {
    /// It is kept in that way already.
    static func alreadyThere(_ location: String, _ backend: Backend) -> Failure {
        Failure(
            .alreadyThere,
            "the vault is in \(location) already",
            hint: backend == .file
                ? "hsip vault migrate --to keyring" : "hsip vault migrate --to file"
        )
    }
}
