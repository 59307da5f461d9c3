internal import Console
internal import VaultCrypto

/// What `config.json` remembers of a vault: which one it is, where it lies, and what keeps it.
struct VaultRecord: Equatable {
    /// The only backend so far.
    static let file = "file"

    /// As it stands in the file, with what a newer program may have added.
    private(set) var tree: JSONTree
    /// 16 bytes.
    let id: [UInt8]
    /// The absolute path of the file.
    let path: String
    /// `file`, or what a newer program chose.
    let backend: String

    /// The record of a new vault.
    init(id: [UInt8], path: String) {
        self.id = id
        self.path = path
        backend = Self.file
        tree = .object(["id": .text(Hex.encode(id)), "path": .text(path), "backend": .text(Self.file)])
    }

    /// Reads a record; nil for anything that is none.
    init?(_ tree: JSONTree) {
        guard let id = tree["id"].text.flatMap({ Hex.decode($0) }), id.count == 16,
            let path = tree["path"].text, let backend = tree["backend"].text
        else { return nil }
        self.tree = tree
        self.id = id
        self.path = path
        self.backend = backend
    }

    /// The vault was made without an identity, or the program was stopped before it made one.
    var lacksIdentity: Bool {
        get { tree["identity"] == .bool(false) }
        set { tree["identity"] = newValue ? .bool(false) : .null }
    }

    /// When the newest recovery code was last typed in and opened the vault, Unix seconds.
    var recoveryTestedAt: Int64? {
        get { tree["recoveryTestedAt"].text.flatMap { Times.parse($0) } }
        set { tree["recoveryTestedAt"] = newValue.map { .text(Times.rfc3339($0)) } ?? .null }
    }
}
