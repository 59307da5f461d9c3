internal import RecordStore
internal import VaultCrypto

/// The roots of a vault that can be read: in the keyring, and in the copy beside the anchor.
struct SalvagedHeads {
    /// A root, and where it was found.
    struct Head {
        let root: Root
        /// The collection that its pages lie in.
        let collection: ItemPath
        /// Its item; nil for the copy.
        let path: ItemPath?
    }

    /// The roots, the newest first.
    private(set) var roots: [Head] = []
    /// Items of a root that hold none.
    private(set) var odd: Set<ItemPath> = []

    /// Reads them.
    ///
    /// - Parameters:
    ///   - place: Where anchor and copy are.
    ///   - seen: The newest place that was seen here: of two roots at one place its mark tells which one counts.
    ///   - items: The keyring.
    /// - Throws: `newerFormat` for a root of a later program where there is no other; what the service answers.
    init(_ place: KeyringPlace, _ seen: AnchorText?, _ items: inout SalvagedItems) throws(StoreError) {
        // One damaged byte looks like it as well, and stops no other root.
        var newer: StoreError?
        for path in try items.paths(ItemNames.rootSchema) {
            let collection = SecretServiceStore.collection(of: path)
            var isEmpty = false
            let root = try items.read(path) { text throws(StoreError) -> Root? in
                isEmpty = text.byteCount == 0
                do throws(StoreError) {
                    return try Root(text)
                } catch .newerFormat(let found, let supported) {
                    newer = .newerFormat(found: found, supported: supported)
                    return nil
                }
            }
            if let root, root.vaultID == place.vaultID {
                roots.append(Head(root: root, collection: collection, path: path))
            } else if !isEmpty {
                odd.insert(path)
            }
        }
        do throws(StoreError) {
            if let copy = try Self.copy(place) { roots.append(copy) }
        } catch .newerFormat(let found, let supported) {
            newer = .newerFormat(found: found, supported: supported)
        }
        if let newer, roots.isEmpty { throw newer }
        roots.sort { first, second in
            if first.root.position != second.root.position {
                return first.root.position > second.root.position
            }
            let marks = (first.root.mark == seen?.tag, second.root.mark == seen?.tag)
            if marks.0 != marks.1 { return marks.0 }
            return first.path != nil && second.path == nil
        }
    }

    /// The copy of the root; nil where there is none that opens.
    private static func copy(_ place: KeyringPlace) throws(StoreError) -> Head? {
        guard place.rootCopy.isThere else { return nil }
        for key in try RootKey.all(place.vaultID, in: place.service) {
            guard let text = try place.rootCopy.read(key.key),
                let root = try text.withBytes({ bytes throws(StoreError) in try Root(bytes) }),
                root.vaultID == place.vaultID
            else { continue }
            return Head(root: root, collection: key.collection, path: nil)
        }
        return nil
    }
}
