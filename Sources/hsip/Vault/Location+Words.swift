internal import CommandKit
internal import Console
internal import SafeText
internal import VaultLifecycle

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
