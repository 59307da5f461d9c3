package import RecordStore

/// The vault's record of a collection of items (Schemas/items.md).
package struct CollectionRecord: Hashable, Sendable {
    /// The kind of the records.
    package static let kind = "secret.collection"
    /// Bytes in the longest id: written as a path, each may become three.
    package static let longestID = 200

    /// Its name in the vault, which its path on the bus is made from.
    package let id: String
    /// The name of the collection for people.
    package var label: String
    /// Whether the alias `default` names it.
    package var isDefault: Bool
    /// When it was made, Unix milliseconds.
    package let created: UInt64
    /// When it was last written, Unix milliseconds.
    package let modified: UInt64

    /// A collection that is to be written; its times are the store's.
    package init(id: String, label: String) {
        (self.id, self.label, isDefault) = (id, label, false)
        (created, modified) = (0, 0)
    }

    /// Reads a record without opening it.
    ///
    /// - Throws: `ServiceError.badItem` for anything that `recordAttributes` does not write.
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

    /// What is written of it.
    ///
    /// - Throws: `ServiceError.badItem` for parts that no record can have.
    package func recordAttributes() throws(ServiceError) -> Attributes {
        guard Self.isID(id), label.utf8.count <= RecordLimits.label else { throw .badItem }
        guard isDefault else { return .none }
        do throws(StoreError) { return try Attributes(["alias": "default"]) } catch { throw .badItem }
    }

    /// 1 to 200 bytes that a record can be called by.
    package static func isID(_ id: String) -> Bool {
        id.utf8.count <= longestID && (try? RecordID(kind, id)) != nil
    }

    /// The id of a new collection, made from its label as GNOME Keyring makes it, so that programs that look for the
    /// path find it.
    ///
    /// - Parameters:
    ///   - label: what the program calls it.
    ///   - isTaken: whether another collection has an id.
    /// - Returns: a free id; nil if a hundred ids like it are in use.
    package static func newID(for label: String, isTaken: (String) -> Bool) -> String? {
        let marked = label.unicodeScalars.map { scalar -> Character in
            let isBad = ":/\\<>|".unicodeScalars.contains(scalar) || scalar.properties.isWhitespace
            return isBad ? "_" : Character(scalar)
        }
        var wanted = NameRules.normalized(String(marked))
        while wanted.utf8.count > longestID - 3 { wanted.unicodeScalars.removeLast() }
        // A label that no record can have as its name, for example with control characters, is not worth keeping.
        if !isID(wanted) { wanted = "unnamed" }
        guard isTaken(wanted) else { return wanted }
        return (1...99).lazy.map { "\(wanted)_\($0)" }.first { !isTaken($0) }
    }
}
