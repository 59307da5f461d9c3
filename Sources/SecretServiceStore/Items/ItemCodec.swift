internal import RecordStore
internal import VaultCrypto

/// Records to items (Schemas/secret-service.md section 2).
struct ItemCodec: Sendable {
    /// The id of the vault, as attributes have it.
    let vault: String
    /// Kinds of the plain form.
    let plainKinds: PlainKinds

    init(vaultID: [UInt8], plainKinds: PlainKinds) {
        vault = Hex.encode(vaultID)
        self.plainKinds = plainKinds
    }

    /// What finds the items of a schema.
    func query(_ schema: String) -> [String: String] {
        [ItemNames.schema: schema, ItemNames.vault: vault]
    }

    /// What finds the records of a kind; nil finds those of every kind.
    func query(_ kind: RecordKind?) -> [String: String] {
        var query = query(ItemNames.recordSchema)
        if let kind { query[ItemNames.kind] = kind.rawValue }
        return query
    }

    /// What finds a record.
    func query(_ id: RecordID) -> [String: String] {
        var query = query(id.kind)
        query[ItemNames.name] = id.name
        return query
    }

    /// The form that a record is written in: only text is fit to be a secret that other programs show.
    func form(of info: RecordInfo, _ body: Secret) -> ItemForm {
        guard plainKinds.contains(info.id.kind), body.withBytes({ Self.isText($0) }) else { return .record }
        return .plain
    }

    /// The item of a record.
    func draft(_ info: RecordInfo, _ body: Secret) throws(StoreError) -> ItemDraft {
        let form = form(of: info, body)
        var attributes = attributes(info, form)
        guard form == .plain else {
            return ItemDraft(
                label: label(info),
                attributes: attributes,
                secret: try RecordText.encode(info, body)
            )
        }
        attributes[ItemNames.meta] = StrictBase64.encode(MetaContent.encode(info))
        if body.count == 0 { attributes[ItemNames.empty] = "1" }
        return ItemDraft(label: label(info), attributes: attributes, secret: body)
    }

    /// The name of a record's item for people.
    func label(_ info: RecordInfo) -> String {
        guard !info.label.isEmpty else { return "HSIP \(info.id)" }
        var label = String.UnicodeScalarView()
        for scalar in info.label.unicodeScalars where scalar.value != 0 { label.append(scalar) }
        return String(label)
    }

    /// The attributes of a record's item, without those that hold parts of the record.
    func attributes(_ info: RecordInfo, _ form: ItemForm) -> [String: String] {
        var attributes = query(info.id)
        attributes[ItemNames.form] = form == .plain ? "plain" : "record"
        for (name, value) in info.attributes.all where !ItemNames.isReserved(name) && !name.utf8.contains(0) {
            guard !value.contains(0), let text = String(validating: value, as: UTF8.self) else { continue }
            attributes[name] = text
        }
        return attributes
    }

    /// UTF-8 without U+0000; found out without a copy.
    private static func isText(_ bytes: RawSpan) -> Bool {
        unsafe bytes.withUnsafeBytes { bytes in
            let text = unsafe bytes.bindMemory(to: UInt8.self)
            return unsafe !text.contains(0) && (try? UTF8Span(validating: text.span)) != nil
        }
    }
}
