public import RecordStore
public import VaultCrypto

/// Copies of values for other programs: items that contain only a password (Schemas/keyring-vault.md section 5).
///
/// The vault never reads them.
struct Copies: Sendable {
    /// The most copies that one commit updates.
    static let maximum = 64

    let items: KeyringItems
    let values: NativeValues

    /// The wanted copy of a record; without a draft, none is wanted.
    struct Copy: Sendable {
        let id: RecordID
        var draft: ItemDraft?
    }

    /// The copy of a record; nil for a kind without copies.
    func copy(_ info: RecordInfo, _ body: Secret) -> Copy? {
        guard values.kinds.contains(info.id.kind) else { return nil }
        guard let value = values.value(info, body), value.count > 0 else { return Copy(id: info.id) }
        return Copy(
            id: info.id,
            draft: ItemDraft(label: Self.label(info), attributes: attributes(info), secret: value)
        )
    }

    /// Updates the copies of records.
    func publish(_ ids: [RecordID], _ root: Root) throws(StoreError) {
        try publish(copies(of: ids, root))
    }

    /// The wanted copies of some records.
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
                // The copy of a damaged record is unknown.
                guard case .tampered = error else { throw error }
            }
        }
        return wanted
    }

    /// Makes, changes and removes copies.
    ///
    /// - Parameters:
    ///   - copies: The wanted copies.
    ///   - isAnew: Whether each copy gets a new item, because another program overwrote the existing one:
    ///     GNOME Keyring has another schema for that, which shows after its restart.
    ///   - done: Gets the number of finished copies.
    /// - Throws: the errors of the service; the copies before the error are written.
    func publish(
        _ copies: [Copy],
        anew isAnew: Bool = false,
        done: (Int) -> Void = { _ in }
    ) throws(StoreError) {
        for (number, copy) in copies.enumerated() {
            try publish(copy, isAnew)
            done(number + 1)
        }
    }

    /// Makes copies whose items do not exist, with one call for each.
    func make(_ copies: [Copy], done: (Int) -> Void) throws(StoreError) {
        for (number, copy) in copies.enumerated() {
            if let draft = copy.draft { _ = try items.service.create(draft, in: items.collection) }
            done(number + 1)
        }
    }

    private func publish(_ copy: Copy, _ isAnew: Bool) throws(StoreError) {
        // The search includes items that lost their schema, because other programs would read an old value from them.
        let paths = try items.paths(Self.place(of: copy.id, items.vaultID)).sorted()
        let found = paths.isEmpty ? [] : try items.service.facts(of: paths)
        let own =
            isAnew || copy.draft == nil
            ? nil : found.first { $0.attributes[ItemNames.schema] == ItemNames.copySchema }
        if let draft = copy.draft {
            if let own {
                if try !items.holds(draft.secret, at: own.path) {
                    try items.service.setSecret(draft.secret, of: own.path)
                }
                if !Self.isDescribed(own, draft) {
                    try items.service.describe(own.path, label: draft.label, attributes: draft.attributes)
                }
            } else {
                _ = try items.service.create(draft, in: items.collection)
            }
        }
        for other in found where other.path != own?.path { try items.service.delete(other.path) }
    }

    /// The attributes that KeePassXC adds to every item.
    private static let added: Set = ["Title", "UserName", "URL", "Notes", "Path", "Uuid"]

    /// Returns whether an item has the wanted label and attributes, ignoring attributes that KeePassXC adds.
    static func isDescribed(_ facts: ItemFacts, _ draft: ItemDraft) -> Bool {
        let present = facts.attributes.filter { draft.attributes[$0.key] != nil || !added.contains($0.key) }
        return facts.label == draft.label && present == draft.attributes
    }

    /// The attributes to search for copies of a record, whatever their schema.
    private static func place(of id: RecordID, _ vaultID: [UInt8]) -> [String: String] {
        [
            ItemNames.vault: Hex.encode(vaultID), ItemNames.kind: id.kind.rawValue, ItemNames.name: id.name,
        ]
    }

    private func attributes(_ info: RecordInfo) -> [String: String] {
        var attributes = Self.place(of: info.id, items.vaultID)
        attributes[ItemNames.schema] = ItemNames.copySchema
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

/// The kinds of records that other programs read, and the value for them: a password, not the record around it.
public struct NativeValues: Sendable {
    /// No records.
    public static let none = NativeValues(kinds: []) { _, _ in nil }

    let kinds: Set<RecordKind>
    let value: @Sendable (RecordInfo, Secret) -> Secret?

    /// Values of records of some kinds.
    ///
    /// - Parameters:
    ///   - kinds: The kinds whose records other programs read.
    ///   - value: Returns the value in a body; nil for a record without a value.
    public init(kinds: Set<RecordKind>, value: @escaping @Sendable (RecordInfo, Secret) -> Secret?) {
        self.kinds = kinds
        self.value = value
    }
}
