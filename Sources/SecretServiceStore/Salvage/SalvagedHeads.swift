internal import RecordStore
internal import VaultCrypto

/// The readable roots of a vault: in the keyring, and in the copy beside the anchor.
struct SalvagedHeads {
    /// A root, and its location.
    struct Head {
        let root: Root
        /// The collection of the root's pages.
        let collection: ItemPath
        /// The root's item; nil for the copy beside the anchor.
        let path: ItemPath?
    }

    /// The roots, the newest first.
    private(set) var roots: [Head] = []
    /// The items with the schema of a root, but without a valid root.
    private(set) var odd: Set<ItemPath> = []

    /// Reads the roots.
    ///
    /// - Parameters:
    ///   - place: The paths of anchor and copy.
    ///   - seen: The newest position that was seen here; its mark decides between two roots at one position.
    ///   - items: The items in the keyring.
    /// - Throws: `newerFormat` if only roots of a later program exist; the errors of the service.
    init(_ place: KeyringPlace, _ seen: AnchorText?, _ items: inout SalvagedItems) throws(StoreError) {
        // A single damaged byte can look like a newer format, so this error must not stop the search for other roots.
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

    /// Reads the copy of the root; returns nil if it is missing, or no key opens it.
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
