internal import Commands
internal import Presentation
internal import RecordStore
internal import Text
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

extension Location {
    /// As scripts get it (Schemas/cli/common.schema.json, `location`).
    var json: JSONValue {
        switch self {
        case .file(let path): ["backend": .text(backend.word), "path": .text(path), "collection": nil]
        case .keyring(let path, let label):
            [
                "backend": .text(backend.word), "path": nil,
                "collection": ["path": .text(path), "label": .text(label)],
            ]
        }
    }

    /// As people read it: `the file ~/…` or `the keyring “Login”`.
    func text(_ context: Context) -> String {
        switch self {
        case .file(let path): "the file \(context.path(path).shown)"
        case .keyring(let path, let label):
            "the keyring “\(context.output.display.cell(label.isEmpty ? path : label))”"
        }
    }
}

extension KeptCopy {
    /// As scripts get it.
    var json: JSONValue { ["location": location.json, "untilAt": .text(Times.rfc3339(until))] }
}

extension MoveNote {
    /// As scripts get it.
    var json: JSONValue { ["to": target.json, "startedAt": .text(Times.rfc3339(started))] }
}
