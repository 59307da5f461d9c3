package import RecordStore
package import VaultCrypto

extension SecretService: ItemService {
    package func find(_ attributes: [String: String]) throws(StoreError) -> FoundItems {
        try perform { link, waiting throws(StoreError) in try link.find(attributes, waiting) }
    }

    package func eachSecret(
        of items: [ItemPath],
        _ visit: (ItemPath, RawSpan) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard !items.isEmpty else { return }
        let secrets = try perform { link, waiting throws(StoreError) in try link.secrets(of: items, waiting) }
        try secrets.each(visit)
    }

    package func facts(of items: [ItemPath]) throws(StoreError) -> [ItemFacts] {
        try perform { link, waiting throws(StoreError) in
            var facts: [ItemFacts] = []
            for item in items {
                do throws(StoreError) {
                    facts.append(try link.facts(of: item, waiting))
                } catch .notFound {
                    // Gone is fine.
                }
            }
            return facts
        }
    }

    package func create(_ draft: ItemDraft, in collection: String) throws(StoreError) -> ItemPath {
        do throws(StoreError) {
            return try perform { link, waiting throws(StoreError) in
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
            try perform { link, waiting throws(StoreError) in try link.delete(item, waiting) }
        } catch .notFound {
            // Gone is fine.
        }
    }

    package func unlock(_ paths: [String]) throws(StoreError) {
        guard !paths.isEmpty else { return }
        try perform { link, waiting throws(StoreError) in try link.unlock(paths, waiting) }
    }
}
