package import RecordStore
package import VaultCrypto

extension SecretService: ItemService {
    package func isDurable() throws(StoreError) -> Bool {
        try perform { link, waiting throws(StoreError) in try link.isDurable(waiting) }
    }

    /// Finds the items that have all of these attributes.
    ///
    /// GNOME Keyring 42 stores the schema apart from the other attributes. It forgets the schema of a collection that was not
    /// unlocked since the start, and a search with the schema misses those items. So if a search for a vault finds nothing, it
    /// runs again without the schema, for locked items only.
    package func find(_ attributes: [String: String]) throws(StoreError) -> FoundItems {
        try perform { link, waiting throws(StoreError) in
            let found = try link.find(attributes, waiting)
            guard found.unlocked.isEmpty, found.locked.isEmpty, attributes["vault"] != nil else {
                return found
            }
            var rest = attributes
            guard rest.removeValue(forKey: "xdg:schema") != nil else { return found }
            return FoundItems(locked: try link.find(rest, waiting).locked)
        }
    }

    package func eachSecret(
        of items: [ItemPath],
        _ visit: (ItemPath, RawSpan) throws(StoreError) -> Void
    ) throws(StoreError) {
        try eachValue(of: items) { path, bytes, _ throws(StoreError) in try visit(path, bytes) }
    }

    /// Visits secrets like `eachSecret`, with their content types.
    package func eachValue(
        of items: [ItemPath],
        _ visit: (ItemPath, RawSpan, String) throws(StoreError) -> Void
    ) throws(StoreError) {
        // Two secrets always fit into one response.
        let marked = items.count > 2 ? try find([LargeItems.mark: "1"]) : FoundItems()
        let large = Set(marked.unlocked + marked.locked)
        for item in items where large.contains(item) { _ = try eachValue(ofFew: [item], visit) }
        var rest = items.filter { !large.contains($0) }[...]
        var (count, longest) = (16, 0)
        while !rest.isEmpty {
            longest = max(longest, try eachValue(ofFew: Array(rest.prefix(count)), visit))
            rest = rest.dropFirst(count)
            count = LargeItems.next(after: count, longest: longest)
        }
    }

    /// - Returns: The length of the longest secret, in bytes.
    private func eachValue(
        ofFew items: [ItemPath],
        _ visit: (ItemPath, RawSpan, String) throws(StoreError) -> Void
    ) throws(StoreError) -> Int {
        let secrets = try perform { link, waiting throws(StoreError) in try link.secrets(of: items, waiting) }
        var longest = 0
        try secrets.each { item, bytes, type throws(StoreError) in
            longest = max(longest, bytes.byteCount)
            try visit(item, bytes, type)
        }
        return longest
    }

    package func facts(of items: [ItemPath]) throws(StoreError) -> [ItemFacts] {
        var facts: [ItemFacts] = []
        // A keyring may need a millisecond for each item, and every call has its own timeout.
        for start in stride(from: 0, to: items.count, by: 256) {
            let some = Array(items[start..<min(start + 256, items.count)])
            facts += try perform { link, waiting throws(StoreError) in try link.facts(of: some, waiting) }
        }
        return facts
    }

    package func create(_ draft: ItemDraft, in collection: String) throws(StoreError) -> ItemPath {
        do throws(StoreError) {
            return try performFormally(in: collection) { link, waiting throws(StoreError) in
                try link.create(draft, in: collection, waiting)
            }
        } catch .notFound {
            throw .noSuchCollection
        }
    }

    package func setSecret(_ secret: Secret, of item: ItemPath) throws(StoreError) {
        try perform { link, waiting throws(StoreError) in try link.setSecret(secret, of: item, waiting) }
    }

    package func describe(
        _ item: ItemPath,
        label: String,
        attributes: [String: String]
    ) throws(StoreError) {
        try perform { link, waiting throws(StoreError) in
            try link.describe(item, label: label, attributes: attributes, waiting)
        }
    }

    package func delete(_ item: ItemPath) throws(StoreError) {
        do throws(StoreError) {
            let collection = item.lastIndex(of: "/").map { String(item[..<$0]) } ?? item
            try performFormally(in: collection) { link, waiting throws(StoreError) in
                try link.delete(item, waiting)
            }
        } catch .notFound {
            // The item is already deleted.
        }
    }

    /// Makes a call that may need a prompt as a formality: KeePassXC returns a prompt for every new item, but asks nothing.
    ///
    /// If nobody may be asked, such a prompt is still run if the collection is unlocked. It has the time limit of other calls.
    private func performFormally<R: Sendable>(
        in collection: String,
        _ call: @escaping @Sendable (Link, Waiting) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        do throws(StoreError) {
            return try perform(call)
        } catch .keyringLocked where !patience.mayAsk {
            let isOpen = try collections().contains { $0.path == collection && !$0.isLocked }
            guard isOpen else { throw .keyringLocked }
            return try perform(isFormality: true, call)
        }
    }

    package func unlock(_ paths: [String]) throws(StoreError) {
        guard !paths.isEmpty else { return }
        try perform { link, waiting throws(StoreError) in try link.unlock(paths, waiting) }
    }
}
