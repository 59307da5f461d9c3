package import Text

/// Where a vault lies, or a copy of it.
package enum Location: Equatable, Sendable {
    /// A file, by its absolute path.
    case file(String)
    /// A collection of the Secret Service, by its D-Bus path and its name for people.
    case keyring(path: String, label: String)

    package init?(_ tree: JSONValue) {
        switch tree["backend"]?.text.flatMap({ Backend(rawValue: $0) }) {
        case .file:
            guard let path = tree["path"]?.text else { return nil }
            self = .file(path)
        case .secretService:
            guard let path = tree["collection"]?.text else { return nil }
            self = .keyring(path: path, label: tree["label"]?.text ?? "")
        case nil: return nil
        }
    }

    /// Where a recorded vault lies; nil for a way of keeping that a newer program chose.
    package init?(_ storage: VaultRecord.Storage) {
        switch storage {
        case .file(let path): self = .file(path)
        case .keyring(let collection, let label): self = .keyring(path: collection, label: label)
        case .unknown: return nil
        }
    }

    package var backend: Backend {
        switch self {
        case .file: .file
        case .keyring: .secretService
        }
    }

    /// As `config.json` has it.
    package var tree: JSONValue {
        var tree: JSONValue = ["backend": .text(backend.rawValue)]
        switch self {
        case .file(let path): tree["path"] = .text(path)
        case .keyring(let path, let label):
            tree["collection"] = .text(path)
            tree["label"] = .text(label)
        }
        return tree
    }
}
