internal import RecordStore
internal import SecretServiceStore
internal import Secrets
internal import VaultCrypto

/// The items of the session's keyring: those of other programs, all collections, each with its attributes.
struct KeyringItems {
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
    /// Whether it is a part of a vault: no secret of another program.
    ///
    /// GNOME Keyring 42 may have forgotten the schema of an item: then the id of the vault tells it.
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
