package import RecordStore
package import SecretServiceStore
internal import Secrets
internal import VaultCrypto
package import VaultKit

/// Reads the items of other programs from all collections of the session's keyring, with their attributes.
struct KeyringItems {
    private let service: SecretService

    init(_ service: SecretService) { self.service = service }

    /// Reads all items; an item that stays locked is named as refused.
    ///
    /// - Throws: the errors of the keyring; `keyringLocked` if the person cannot be asked.
    func read() throws -> ImportDocument {
        let collections = try service.collections()
        let locked = collections.filter(\.isLocked).map(\.path)
        if !locked.isEmpty { try service.unlock(locked) }
        let found = try service.find([:])
        let facts = try service.facts(of: found.unlocked + found.locked)
        let labels = Dictionary(
            collections.filter { !$0.isDefault }.map { ($0.path, $0.label) },
            uniquingKeysWith: { first, _ in first }
        )
        let names = Dictionary(facts.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        let wanted = facts.filter { !$0.isOfVault }
        return try document(wanted, names, labels, found.locked)
    }

    private func document(
        _ wanted: [ItemFacts],
        _ names: [ItemPath: ItemFacts],
        _ labels: [String: String],
        _ locked: [ItemPath]
    ) throws -> ImportDocument {
        var items: ServiceItems
        do throws(ImportError) { items = try ServiceItems() } catch { throw ImportTexts.explain(error) }
        var refusal: ImportError?
        var seen: Set<ItemPath> = []
        let paths = wanted.map(\.path).sorted()
        try service.eachSecret(of: paths.filter { !locked.contains($0) }) { path, secret throws(StoreError) in
            guard refusal == nil, let item = names[path] else { return }
            seen.insert(path)
            do throws(ImportError) {
                try items.add(
                    label: item.label,
                    collection: labels[collection(of: path)] ?? "",
                    attributes: item.attributes,
                    secret: try copy(secret),
                    created: item.created,
                    modified: item.modified
                )
            } catch {
                refusal = error
            }
        }
        do throws(ImportError) {
            if let refusal { throw refusal }
            for item in wanted where !seen.contains(item.path) { try items.refuse(item.label, .notOpened) }
            return items.finish()
        } catch {
            throw ImportTexts.explain(error)
        }
    }

    private func collection(of item: ItemPath) -> String {
        item.lastIndex(of: "/").map { String(item[..<$0]) } ?? ""
    }

    private func copy(_ secret: RawSpan) throws(ImportError) -> SecretBytes {
        do throws(CryptoError) { return try SecretBytes(copying: secret) } catch { throw .outOfMemory }
    }
}

extension ItemFacts {
    /// Whether the item is part of a vault, not a secret of another program.
    ///
    /// GNOME Keyring 42 may have lost the schema of an item: then the vault's id shows it.
    var isOfVault: Bool {
        if let schema = attributes["xdg:schema"] { return schema.hasPrefix("io.hsip.vault.") }
        return attributes["hsip:copied"] != nil || (attributes["vault"].map(Self.isVaultID) ?? false)
    }

    private static func isVaultID(_ text: String) -> Bool {
        text.utf8.count == 32
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }
}

/// The session's keyring, as the target of an export of other programs' items.
package struct KeyringItemTarget {
    /// The result for an item.
    package enum Act: String, Sendable {
        /// The item was added to the keyring.
        case added
        /// The keyring has an item with equal attributes and this value.
        case known
        /// The keyring has an item with equal attributes and another value, which stays.
        case differs
    }

    private let service: SecretService
    private let collection: String

    /// Writes to the default collection, and unlocks all others: a locked one may already have the item.
    ///
    /// - Throws: the errors of the keyring.
    package init(_ service: SecretService) throws(StoreError) {
        self.service = service
        collection = try service.collection(.standard, making: false).path
        let locked = try service.collections().filter(\.isLocked).map(\.path)
        if !locked.isEmpty { try service.unlock(locked) }
    }

    /// Adds an item to the keyring; never replaces another one.
    package func add(_ item: ItemView, _ value: ItemValue) throws(StoreError) -> Act {
        let equal = try equals(of: item)
        guard !equal.isEmpty else {
            let draft = ItemDraft(
                label: item.label,
                attributes: Self.texts(item.attributes),
                secret: value.value,
                contentType: value.contentType
            )
            _ = try service.create(draft, in: collection)
            return .added
        }
        var isKnown = false
        try service.eachSecret(of: equal) { _, bytes in
            if ConstantTime.equal(bytes, value.value) { isKnown = true }
        }
        return isKnown ? .known : .differs
    }

    /// The items of the keyring with equal attributes.
    private func equals(of item: ItemView) throws(StoreError) -> [ItemPath] {
        var wanted = Self.texts(item.attributes)
        // The generic schema is the same as no schema, and services differ in which of the two they store.
        if wanted["xdg:schema"] == ItemAttributes.genericSchema { wanted["xdg:schema"] = nil }
        let found = try service.find(wanted)
        return try service.facts(of: found.unlocked + found.locked).filter { fact in
            let pairs = fact.attributes.map {
                ItemAttributes.Pair(name: Array($0.key.utf8), value: Array($0.value.utf8))
            }
            return (try? ItemAttributes(pairs))?.isEqual(to: item.attributes) ?? false
        }.map(\.path)
    }

    private static func texts(_ attributes: ItemAttributes) -> [String: String] {
        var texts: [String: String] = [:]
        for pair in attributes.pairs {
            texts[String(decoding: pair.name, as: UTF8.self)] = String(decoding: pair.value, as: UTF8.self)
        }
        return texts
    }
}
