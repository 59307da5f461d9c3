internal import Console
internal import SafeText

/// Where a vault lies, or a copy of it.
enum Location: Equatable {
    /// A file, by its absolute path.
    case file(String)
    /// A collection of the Secret Service, by its D-Bus path and its name for people.
    case keyring(path: String, label: String)

    init?(_ tree: JSONTree) {
        switch tree["backend"].text.flatMap({ Backend(rawValue: $0) }) {
        case .file:
            guard let path = tree["path"].text else { return nil }
            self = .file(path)
        case .secretService:
            guard let path = tree["collection"].text else { return nil }
            self = .keyring(path: path, label: tree["label"].text ?? "")
        case nil: return nil
        }
    }

    /// Where a recorded vault lies; nil for a way of keeping that a newer program chose.
    init?(_ keeping: VaultRecord.Keeping) {
        switch keeping {
        case .file(let path): self = .file(path)
        case .keyring(let collection, let label): self = .keyring(path: collection, label: label)
        case .unknown: return nil
        }
    }

    var backend: Backend {
        switch self {
        case .file: .file
        case .keyring: .secretService
        }
    }

    /// As `config.json` has it.
    var tree: JSONTree {
        var tree = JSONTree.object(["backend": .text(backend.rawValue)])
        switch self {
        case .file(let path): tree["path"] = .text(path)
        case .keyring(let path, let label):
            tree["collection"] = .text(path)
            tree["label"] = .text(label)
        }
        return tree
    }

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
