internal import ImportFormats
internal import RecordStore
internal import SecretServiceStore
internal import VaultCrypto

/// The items of the session's keyring: those of other programs, all collections, each with its attributes.
struct KeyringItems {
    /// Schemas of what this program keeps there itself.
    private static let own = "io.hsip.vault."

    private let service: SecretService

    init(_ service: SecretService) { self.service = service }

    /// Reads them all; one that stays locked is named.
    ///
    /// - Throws: what the keyring refuses; `keyringLocked` when no one can be asked.
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
        let wanted = facts.filter { !isOwn($0) }
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

    private func isOwn(_ item: ItemFacts) -> Bool {
        item.attributes["xdg:schema"]?.hasPrefix(Self.own) ?? (item.attributes["vault"] != nil)
    }

    private func collection(of item: ItemPath) -> String {
        item.lastIndex(of: "/").map { String(item[..<$0]) } ?? ""
    }

    private func copy(_ secret: RawSpan) throws(ImportError) -> SecretBytes {
        do throws(CryptoError) { return try SecretBytes(copying: secret) } catch { throw .outOfMemory }
    }
}
