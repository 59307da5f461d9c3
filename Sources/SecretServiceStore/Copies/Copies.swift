internal import RecordStore
internal import VaultCrypto

/// Copies of values for other programs: items that hold a password and nothing else (Schemas/secret-service.md
/// section 5).
///
/// The vault never reads them.
struct Copies: Sendable {
    /// Most copies that one commit makes again.
    static let maximum = 64

    let items: KeyringItems
    let values: NativeValues

    /// What the copy of a record is to be; none without a draft.
    struct Copy: Sendable {
        let id: RecordID
        var draft: ItemDraft?
    }

    /// The copy of a record; nil for a kind that has none.
    func copy(_ info: RecordInfo, _ body: Secret) -> Copy? {
        guard values.kinds.contains(info.id.kind) else { return nil }
        guard let value = values.value(info, body), value.count > 0 else { return Copy(id: info.id) }
        return Copy(
            id: info.id,
            draft: ItemDraft(label: Self.label(info), attributes: attributes(info), secret: value)
        )
    }

    /// Makes the copies of records what they are to be.
    func publish(_ ids: [RecordID], _ root: Root) throws(StoreError) {
        try publish(copies(of: ids, root))
    }

    /// What the copies of some records are to be.
    func copies(of ids: [RecordID], _ root: Root) throws(StoreError) -> [Copy] {
        var wanted: [Copy] = []
        for id in ids {
            do throws(StoreError) {
                guard let record = try items.record(id, root) else {
                    wanted.append(Copy(id: id))
                    continue
                }
                guard !record.info.isNewer else { continue }
                wanted.append(copy(record.info, try items.body(of: record, root)) ?? Copy(id: id))
            } catch {
                // A damaged record says nothing of its copy.
                guard case .tampered = error else { throw error }
            }
        }
        return wanted
    }

    /// Makes, changes and removes copies.
    func publish(_ copies: [Copy]) throws(StoreError) {
        for copy in copies {
            let found = try items.paths(query(copy.id)).sorted()
            for path in copy.draft == nil ? found[...] : found.dropFirst() { try items.service.delete(path) }
            guard let draft = copy.draft else { continue }
            guard let path = found.first else {
                _ = try items.service.create(draft, in: items.collection)
                continue
            }
            if try !items.holds(draft.secret, at: path) {
                try items.service.setSecret(draft.secret, of: path)
            }
            guard let facts = try items.service.facts(of: [path]).first, !Self.isDescribed(facts, draft)
            else {
                continue
            }
            try items.service.describe(path, label: draft.label, attributes: draft.attributes)
        }
    }

    /// Attributes that KeePassXC adds to those of an item.
    private static let added: Set = ["Title", "UserName", "URL", "Notes", "Path", "Uuid"]

    /// Whether an item says what it should, whatever the service added.
    static func isDescribed(_ facts: ItemFacts, _ draft: ItemDraft) -> Bool {
        let present = facts.attributes.filter { draft.attributes[$0.key] != nil || !added.contains($0.key) }
        return facts.label == draft.label && present == draft.attributes
    }

    private func query(_ id: RecordID) -> [String: String] {
        var query = items.query(ItemNames.copySchema)
        query[ItemNames.kind] = id.kind.rawValue
        query[ItemNames.name] = id.name
        return query
    }

    private func attributes(_ info: RecordInfo) -> [String: String] {
        var attributes = query(info.id)
        for (name, value) in info.attributes.all where !ItemNames.isReserved(name) && !name.utf8.contains(0) {
            guard !value.contains(0), let text = String(validating: value, as: UTF8.self) else { continue }
            attributes[name] = text
        }
        return attributes
    }

    /// The name of a copy for people.
    private static func label(_ info: RecordInfo) -> String {
        guard !info.label.isEmpty else { return info.id.name }
        var label = String.UnicodeScalarView()
        for scalar in info.label.unicodeScalars where scalar.value != 0 { label.append(scalar) }
        return String(label)
    }
}
