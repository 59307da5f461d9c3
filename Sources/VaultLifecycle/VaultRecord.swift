package import Text
internal import VaultCrypto

/// The record of a vault in `config.json`: its id, its location and its backend.
package struct VaultRecord: Equatable, Sendable {
    /// Where a vault is kept.
    package enum Storage: Equatable, Sendable {
        /// A file, by its absolute path.
        case file(path: String)
        /// A collection of the Secret Service, by its D-Bus path and its name for people.
        case keyring(collection: String, label: String)
        /// A way of storing that a newer program chose.
        case unknown
    }

    /// Members that describe one vault; all other members are kept when another vault replaces it.
    private static let ownKeys = [
        "id", "backend", "path", "collection", "label", "why", "identity", "recoveryTestedAt", "rekeyedAt",
        "rekeyAdvisedAt", "kitMadeAt", "passphraseTypedAt",
    ]

    /// The record as it is in the file, with members that a newer program may have added.
    package var tree: JSONValue
    /// 16 bytes.
    package let id: [UInt8]
    package let storage: Storage

    /// The record of a vault file.
    package init(id: [UInt8], path: String, reason: BackendReason? = nil) {
        self.id = id
        storage = .file(path: path)
        tree = [
            "id": .text(Hex.encode(id)), "path": .text(path), "backend": .text(Backend.file.rawValue),
        ]
        tree["why"] = reason.map { .text($0.rawValue) }
    }

    /// The record of a vault in the Secret Service.
    package init(id: [UInt8], collection: String, label: String, reason: BackendReason? = nil) {
        self.id = id
        storage = .keyring(collection: collection, label: label)
        tree = [
            "id": .text(Hex.encode(id)), "collection": .text(collection), "label": .text(label),
            "backend": .text(Backend.secretService.rawValue),
        ]
        tree["why"] = reason.map { .text($0.rawValue) }
    }

    /// Reads a record; nil if the tree is not a record.
    package init?(_ tree: JSONValue) {
        guard let id = tree["id"]?.text.flatMap({ Hex.decode($0) }), id.count == 16,
            let backend = tree["backend"]?.text
        else { return nil }
        switch Backend(rawValue: backend) {
        case .file:
            guard let path = tree["path"]?.text else { return nil }
            storage = .file(path: path)
        case .secretService:
            guard let collection = tree["collection"]?.text else { return nil }
            storage = .keyring(collection: collection, label: tree["label"]?.text ?? "")
        case nil: storage = .unknown
        }
        self.tree = tree
        self.id = id
    }

    /// The backend that stores the vault; nil if a newer program chose an unknown one.
    package var backend: Backend? {
        switch storage {
        case .file: .file
        case .keyring: .secretService
        case .unknown: nil
        }
    }

    /// The name of the collection; empty for other backends.
    package var label: String {
        if case .keyring(_, let label) = storage { label } else { "" }
    }

    /// Why the vault is stored there; nil if that was not recorded.
    package var reason: BackendReason? { tree["why"]?.text.flatMap { BackendReason(rawValue: $0) } }

    /// Whether the vault was made without an identity, or the program was stopped before it made one.
    package var lacksIdentity: Bool {
        get { tree["identity"] == .bool(false) }
        set { tree["identity"] = newValue ? .bool(false) : nil }
    }

    /// When the newest recovery code was last typed in and opened the vault, Unix seconds.
    package var recoveryTestedAt: Int64? {
        get { tree["recoveryTestedAt"]?.text.flatMap { Times.parse($0) } }
        set { tree["recoveryTestedAt"] = newValue.map { .text(Times.rfc3339($0)) } }
    }

    /// When the key of the vault was last changed here, Unix seconds.
    package var rekeyedAt: Int64? {
        get { tree["rekeyedAt"]?.text.flatMap { Times.parse($0) } }
        set { tree["rekeyedAt"] = newValue.map { .text(Times.rfc3339($0)) } }
    }

    /// When a secret stopped opening the vault although its user may still know the key, Unix seconds; nil after a change
    /// of the key.
    package var rekeyAdvisedAt: Int64? {
        get { tree["rekeyAdvisedAt"]?.text.flatMap { Times.parse($0) } }
        set { tree["rekeyAdvisedAt"] = newValue.map { .text(Times.rfc3339($0)) } }
    }

    /// Records that a key slot ended: its user may know the vault key, which only a new key makes useless.
    package mutating func adviseRekey(_ now: Int64) { rekeyAdvisedAt = rekeyAdvisedAt ?? now }

    /// When an emergency kit with the newest recovery code was made, Unix seconds; nil if none was made.
    package var kitMadeAt: Int64? {
        get { tree["kitMadeAt"]?.text.flatMap { Times.parse($0) } }
        set { tree["kitMadeAt"] = newValue.map { .text(Times.rfc3339($0)) } }
    }

    /// The day on which a passphrase was last typed in and opened the vault, Unix seconds; nil if that is not known.
    package var passphraseTypedAt: Int64? {
        get { tree["passphraseTypedAt"]?.text.flatMap { Times.parse($0) } }
        set { tree["passphraseTypedAt"] = newValue.map { .text(Times.rfc3339($0)) } }
    }

    /// Whether both records name the same vault at the same location; other members may differ.
    package func isSame(as other: VaultRecord?) -> Bool { id == other?.id && storage == other?.storage }

    /// Whether a move has begun or old copies exist; without the record nothing would know of them.
    package var knowsOfCopies: Bool { has("migration") || has("kept") }

    private func has(_ name: String) -> Bool { tree[name].map { $0 != .null } ?? false }

    /// This record as the replacement of another, whose members that do not describe its vault are kept.
    package func replacing(_ old: VaultRecord?) -> VaultRecord {
        guard let old else { return self }
        var record = self
        for member in old.tree.members where !Self.ownKeys.contains(member.name) {
            record.tree[member.name] = member.value
        }
        return record
    }
}
