package import RecordStore
package import VaultCrypto

extension SecretService: ItemService {
    package func isDurable() throws(StoreError) -> Bool {
        try perform { link, waiting throws(StoreError) in try link.isDurable(waiting) }
    }

    /// Finds items.
    ///
    /// GNOME Keyring 42 keeps the schema apart from the other attributes, and forgets it for a collection that
    /// was not unlocked since it was started: a search that names the schema misses those items. Without the
    /// schema they are found, so one that names a vault is asked again without it, for what is locked.
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

    /// Visits secrets as `eachSecret` does, with the content type of each.
    package func eachValue(
        of items: [ItemPath],
        _ visit: (ItemPath, RawSpan, String) throws(StoreError) -> Void
    ) throws(StoreError) {
        // Two always fit into one answer.
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

    /// - Returns: how long the longest one is.
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
        // A keyring may need a millisecond for each, and every call is waited for by itself.
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
            // Gone is fine.
        }
    }

    /// Makes a call that may have a prompt for the form's sake: KeePassXC has one for every new item, and asks
    /// nothing.
    ///
    /// Where no one may be asked, such a prompt is gone through all the same if the collection is open; it may
    /// take as long as any other call.
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
