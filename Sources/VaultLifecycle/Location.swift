package import Text

/// The location of a vault or of a copy of it.
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

    /// The location of a recorded vault; nil if a newer program chose a way of storing that is not known here.
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

    /// The location as `config.json` stores it.
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
