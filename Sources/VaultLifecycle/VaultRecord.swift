package import Text
internal import VaultCrypto

/// What `config.json` remembers of a vault: which one it is, where it lies, and what keeps it.
package struct VaultRecord: Equatable, Sendable {
    /// Where a vault is kept.
    package enum Storage: Equatable, Sendable {
        /// A file, by its absolute path.
        case file(path: String)
        /// A collection of the Secret Service, by its D-Bus path and its name for people.
        case keyring(collection: String, label: String)
        /// What a newer program chose.
        case unknown
    }

    /// What is about one vault; anything else in a record is kept when another vault takes its place.
    private static let ownKeys = [
        "id", "backend", "path", "collection", "label", "why", "identity", "recoveryTestedAt", "rekeyedAt",
        "rekeyAdvisedAt", "kitMadeAt", "passphraseTypedAt",
    ]

    /// As it stands in the file, with what a newer program may have added.
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

    /// Reads a record; nil for anything that is none.
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

    /// What keeps the vault; nil for what a newer program chose.
    package var backend: Backend? {
        switch storage {
        case .file: .file
        case .keyring: .secretService
        case .unknown: nil
        }
    }

    /// What the collection is called; empty where that does not apply.
    package var label: String {
        if case .keyring(_, let label) = storage { label } else { "" }
    }

    /// Why it is kept there; nil where that was not written down.
    package var reason: BackendReason? { tree["why"]?.text.flatMap { BackendReason(rawValue: $0) } }

    /// The vault was made without an identity, or the program was stopped before it made one.
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

    /// When a secret stopped to open the vault whose owner may still have its key, Unix seconds; nil since the key was
    /// changed.
    package var rekeyAdvisedAt: Int64? {
        get { tree["rekeyAdvisedAt"]?.text.flatMap { Times.parse($0) } }
        set { tree["rekeyAdvisedAt"] = newValue.map { .text(Times.rfc3339($0)) } }
    }

    /// Records that a key slot ended: only a new vault key ends what its user may know.
    package mutating func adviseRekey(_ now: Int64) { rekeyAdvisedAt = rekeyAdvisedAt ?? now }

    /// When an emergency kit with the newest recovery code was made, Unix seconds; nil where none was.
    package var kitMadeAt: Int64? {
        get { tree["kitMadeAt"]?.text.flatMap { Times.parse($0) } }
        set { tree["kitMadeAt"] = newValue.map { .text(Times.rfc3339($0)) } }
    }

    /// The day on which a passphrase was last typed in and opened the vault, Unix seconds; nil where none is known.
    package var passphraseTypedAt: Int64? {
        get { tree["passphraseTypedAt"]?.text.flatMap { Times.parse($0) } }
        set { tree["passphraseTypedAt"] = newValue.map { .text(Times.rfc3339($0)) } }
    }

    /// The same vault at the same place, whatever else is said of it.
    package func isSame(as other: VaultRecord?) -> Bool { id == other?.id && storage == other?.storage }

    /// A move has begun, or there are old copies: anyone who forgets the record loses them from sight.
    package var knowsOfCopies: Bool { has("migration") || has("kept") }

    private func has(_ name: String) -> Bool { tree[name].map { $0 != .null } ?? false }

    /// This record in the place of another: what that one said besides about its vault stays.
    package func replacing(_ old: VaultRecord?) -> VaultRecord {
        guard let old else { return self }
        var record = self
        for member in old.tree.members where !Self.ownKeys.contains(member.name) {
            record.tree[member.name] = member.value
        }
        return record
    }
}
