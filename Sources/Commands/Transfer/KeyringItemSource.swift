internal import RecordStore
package import SecretServiceStore
internal import Secrets
internal import VaultCrypto
package import VaultKit

/// Reads the items that programs store in the session's keyring, for an import into the vault.
///
/// Their labels, attributes, values, times and collections are read.
package struct KeyringItemSource {
    /// The most bytes in a collection's label.
    private static let longestLabel = 1_024

    private let service: SecretService

    /// Reads from this keyring.
    package init(_ service: SecretService) { self.service = service }

    /// The items found in the keyring.
    package struct Found {
        /// The items, in the order of their paths.
        package var items: [ImportedItem] = []
        /// Labels of collections by their ids.
        package var labels: [String: String] = [:]
        /// Labels of items that were left out, and why.
        package var leftOut: [(label: String, reason: String)] = []

        /// Leaves out the oldest items if there are more than a vault may have.
        mutating func keepNewest(_ limit: Int) {
            guard items.count > limit else { return }
            items.sort { $0.modified > $1.modified }
            for item in items[limit...] {
                leftOut.append((item.label, "a vault has at most \(limit) items"))
            }
            items.removeSubrange(limit...)
        }

        /// The items in parts, each for one message to the agent, with the newest change first.
        ///
        /// If several items have equal attributes, the newest one counts.
        package func parts(bytes limit: Int) -> [[ImportedItem]] {
            var parts: [[ImportedItem]] = []
            var bytes = 0
            for item in items.sorted(by: { $0.modified > $1.modified }) {
                let size =
                    item.value.count + item.label.utf8.count + Self.overhead
                    + item.attributes.pairs.reduce(0) { $0 + $1.name.count + $1.value.count + Self.overhead }
                if parts.isEmpty || bytes + size > limit {
                    parts.append([])
                    bytes = 0
                }
                parts[parts.count - 1].append(item)
                bytes += size
            }
            return parts
        }

        /// A generous estimate of the bytes that a message adds to each field.
        private static let overhead = 64
    }

    /// Reads all items; a collection that stays locked is an error.
    ///
    /// - Throws: the errors of the keyring; `keyringLocked` if the person cannot be asked.
    package func read() throws -> Found {
        let collections = try service.collections()
        let locked = collections.filter(\.isLocked).map(\.path)
        if !locked.isEmpty { try service.unlock(locked) }
        var found = Found()
        var ids: [String: String] = [:]
        for collection in collections {
            let id = Self.id(of: collection)
            ids[collection.path] = id
            found.labels[id] = Self.cut(collection.label)
        }
        let matches = try service.find([:])
        // Items outside a listed collection last only for this login, and are not imported.
        let facts = try service.facts(of: matches.unlocked + matches.locked)
            .filter { !$0.isOfVault && ids[Self.folder(of: $0.path)] != nil }
            .sorted { $0.path < $1.path }
        let values = try Values(of: facts.map(\.path), in: service)
        for item in facts {
            let collection = ids[Self.folder(of: item.path)] ?? "login"
            if let (value, type) = values[item.path] {
                if let taken = Self.item(item, value, type, in: collection) {
                    found.items.append(taken)
                } else {
                    found.leftOut.append(
                        (item.label, "label or attributes are too long")
                    )
                }
            } else {
                let isLong = values.tooLong.contains(item.path)
                found.leftOut.append(
                    (item.label, isLong ? "the value is longer than 1 MiB" : "the value could not be read")
                )
            }
        }
        found.keepNewest(ItemImport.maximum)
        return found
    }

    /// The label, cut so that a record can store it.
    private static func cut(_ label: String) -> String {
        var label = label
        while label.utf8.count > longestLabel { label.removeLast() }
        return label
    }

    /// An item in the form for the import; nil if a record cannot hold it.
    private static func item(
        _ item: ItemFacts,
        _ value: Secret,
        _ type: String,
        in collection: String
    ) -> ImportedItem? {
        let pairs = item.attributes.map {
            ItemAttributes.Pair(name: Array($0.key.utf8), value: Array($0.value.utf8))
        }
        guard let attributes = try? ItemAttributes(pairs) else { return nil }
        let record = ItemRecord(
            id: "0",
            collection: collection,
            label: item.label,
            attributes: attributes,
            owner: nil
        )
        guard (try? record.recordAttributes()) != nil else { return nil }
        return ImportedItem(
            collection: collection,
            label: item.label,
            attributes: attributes,
            // If the content type cannot be stored, the item is imported without it.
            contentType: ItemRecord.isContentType(type) ? type : nil,
            value: value,
            created: item.created,
            modified: item.modified
        )
    }

    private static func folder(of item: ItemPath) -> String {
        item.lastIndex(of: "/").map { String(item[..<$0]) } ?? ""
    }

    /// The id of a collection: the last part of its path, with escapes such as `_2d` replaced by their bytes.
    static func id(of collection: CollectionInfo) -> String {
        let last = collection.path.split(separator: "/").last.map { Array($0.utf8) } ?? []
        var bytes: [UInt8] = []
        var rest = last[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "_"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        // `session` is the collection that hsip-secrets keeps in memory.
        let isTaken = { (id: String) in id == "session" }
        if let id = String(validating: bytes, as: UTF8.self), CollectionRecord.isID(id), !isTaken(id) {
            return id
        }
        return CollectionRecord.newID(for: collection.label, isTaken: isTaken) ?? "login"
    }
}

/// The values of a keyring's items with their content types, in few pieces of locked memory.
private struct Values {
    /// Items whose value is too long for the vault, so that it is not copied.
    let tooLong: Set<ItemPath>
    private let secrets: [Secret]
    private let places: [ItemPath: (number: Int, type: String)]

    /// Reads the values; items that are locked or gone are left out.
    init(of items: [ItemPath], in service: SecretService) throws {
        var pack = SecretPack()
        var places: [ItemPath: (number: Int, type: String)] = [:]
        var tooLong: Set<ItemPath> = []
        try service.eachValue(of: items) { path, bytes, type throws(StoreError) in
            guard bytes.byteCount <= SealedValue.longest else {
                tooLong.insert(path)
                return
            }
            do {
                try pack.append(Secret(try SecretBytes(copying: bytes)))
            } catch {
                throw .outOfMemory
            }
            places[path] = (pack.count - 1, type)
        }
        (secrets, self.places, self.tooLong) = (try pack.secrets(), places, tooLong)
    }

    subscript(path: ItemPath) -> (value: Secret, type: String)? {
        places[path].map { (secrets[$0.number], $0.type) }
    }
}
