internal import VaultCrypto

/// What `config.json` remembers of a vault: which one it is, where it lies, and what keeps it.
struct VaultRecord: Equatable {
    /// 16 bytes.
    let id: [UInt8]
    /// The absolute path of the file.
    let path: String
    /// The only backend so far.
    static let file = "file"
    /// `file`, or what a newer program chose.
    let backend: String

    init(id: [UInt8], path: String, backend: String = file) {
        self.id = id
        self.path = path
        self.backend = backend
    }

    /// Reads a record; nil for anything that is none.
    init?(_ tree: JSONTree) {
        guard let id = tree["id"].text.flatMap({ Hex.decode($0) }), id.count == 16,
            let path = tree["path"].text, let backend = tree["backend"].text
        else { return nil }
        self.init(id: id, path: path, backend: backend)
    }

    var tree: JSONTree {
        .object(["id": .text(Hex.encode(id)), "path": .text(path), "backend": .text(backend)])
    }
}
