package import RecordStore

/// The vault's record of a collection of items (Schemas/items.md).
package struct CollectionRecord: Hashable, Sendable {
    /// The kind of the records.
    package static let kind = "secret.collection"
    /// Bytes in the longest id; in a path each byte may become three.
    package static let longestID = 200

    /// The name of the collection in the vault, from which its path on the bus is made.
    package let id: String
    /// The label that people see.
    package var label: String
    /// Whether the collection has the alias `default`.
    package var isDefault: Bool
    /// When the collection was made, Unix milliseconds.
    package let created: UInt64
    /// When the collection was last written, Unix milliseconds.
    package let modified: UInt64

    /// Makes a collection that is not yet written; the store sets its times.
    package init(id: String, label: String) {
        (self.id, self.label, isDefault) = (id, label, false)
        (created, modified) = (0, 0)
    }

    /// Reads a record without opening it.
    ///
    /// - Throws: `ServiceError.badItem` for anything that `recordAttributes` cannot write.
    package init(_ info: RecordInfo) throws(ServiceError) {
        guard info.id.kind.rawValue == Self.kind, Self.isID(info.id.name) else { throw .badItem }
        let attributes = info.attributes.all
        isDefault = !attributes.isEmpty
        if isDefault {
            guard attributes.count == 1, attributes[0].name == "alias",
                attributes[0].value.elementsEqual("default".utf8)
            else { throw .badItem }
        }
        (id, label, created, modified) = (info.id.name, info.label, info.created, info.modified)
    }

    /// The attributes of the record.
    ///
    /// - Throws: `ServiceError.badItem` for invalid parts.
    package func recordAttributes() throws(ServiceError) -> Attributes {
        guard Self.isID(id), label.utf8.count <= RecordLimits.label else { throw .badItem }
        guard isDefault else { return .none }
        do throws(StoreError) { return try Attributes(["alias": "default"]) } catch { throw .badItem }
    }

    /// Whether an id is valid: at most 200 bytes, and a valid record name.
    package static func isID(_ id: String) -> Bool {
        id.utf8.count <= longestID && (try? RecordID(kind, id)) != nil
    }

    /// Makes the id of a new collection from its label, as GNOME Keyring does, so that programs find the expected path.
    ///
    /// - Parameters:
    ///   - label: the label that the program set.
    ///   - isTaken: whether another collection has an id.
    /// - Returns: a free id; nil if a hundred similar ids are in use.
    package static func newID(for label: String, isTaken: (String) -> Bool) -> String? {
        let marked = label.unicodeScalars.map { scalar -> Character in
            let isBad = ":/\\<>|".unicodeScalars.contains(scalar) || scalar.properties.isWhitespace
            return isBad ? "_" : Character(scalar)
        }
        var wanted = NameRules.normalized(String(marked))
        while wanted.utf8.count > longestID - 3 { wanted.unicodeScalars.removeLast() }
        // An invalid label, for example with control characters, is not kept.
        if !isID(wanted) { wanted = "unnamed" }
        guard isTaken(wanted) else { return wanted }
        return (1...99).lazy.map { "\(wanted)_\($0)" }.first { !isTaken($0) }
    }
}
