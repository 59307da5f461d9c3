public import VaultCrypto

/// Collects items of a Secret Service (the login keyring of GNOME, KWallet, KeePassXC).
///
/// An item has a label, attributes that every program may see, and a secret. Attributes keep their names.
public struct ServiceItems: ~Copyable {
    private var document: GrowingDocument
    private var found = Findings()

    /// Makes an empty collection.
    public init() throws(ImportError) {
        document = try GrowingDocument()
    }

    /// Adds an item.
    ///
    /// - Parameters:
    ///   - label: The label, which becomes the title.
    ///   - collection: The label of the item's collection; empty if it is not useful.
    ///   - attributes: The attributes, which become the user, the address or named fields; empty values are left out.
    ///   - secret: The secret, which becomes the password; empty for none.
    ///   - created: Unix seconds; 0 if unknown.
    ///   - modified: Unix seconds; 0 if unknown.
    /// - Throws: `tooLarge`; `outOfMemory`.
    public mutating func add(
        label: String,
        collection: String = "",
        attributes: [String: String],
        secret: borrowing some ByteSource & ~Copyable,
        created: UInt64 = 0,
        modified: UInt64 = 0
    ) throws(ImportError) {
        var candidate = Candidate(.login, label, place: found.count + 1)
        if !collection.isEmpty { candidate.folder = [collection] }
        if secret.count > 0 {
            let value = try document.append(secret)
            candidate.fields.append(CandidateField(.password, value, isHidden: true))
        }
        for (name, value) in attributes.sorted(by: { $0.key < $1.key }) where !value.isEmpty {
            var role = Self.role(of: name)
            if candidate[role] != nil { role = .named(name) }
            let range = try document.append(Array(value.utf8))
            candidate.fields.append(CandidateField(role, range, isHidden: false))
        }
        candidate.created = created > 0 ? Int64(clamping: created) : nil
        candidate.modified = modified > 0 ? Int64(clamping: modified) : nil
        try found.take(candidate)
    }

    /// Records an item that is refused.
    public mutating func refuse(_ label: String, _ reason: RefusedEntry.Reason) throws(ImportError) {
        try found.refuse(label, place: found.count + 1, reason)
    }

    /// Returns the items as a document.
    public consuming func finish() -> ImportDocument {
        ImportDocument(.secretService, found, in: document.finish())
    }

    private static func role(of attribute: String) -> FieldRole {
        switch attribute.lowercased() {
        case "username", "user", "username_value": .user
        case "url", "uri", "origin_url": .url
        default: .named(attribute)
        }
    }
}
