internal import RecordStore
internal import VaultCrypto

extension ItemCodec {
    /// Reads an item by its secret alone: one of form `record`; nil when the secret is of no such form.
    func read(
        _ path: ItemPath,
        _ secret: RawSpan,
        _ header: KeyringHeader,
        withBody: Bool
    ) throws(StoreError) -> ItemReading? {
        guard secret.byteCount > 0 else { return .unfinished(path) }
        guard let parts = try RecordText.decode(secret, floor: header.floor, withBody: withBody) else {
            return nil
        }
        guard parts.info.revision <= header.ceiling else { throw Self.tampered(path) }
        return .record(
            RecordItem(path: path, form: .record, info: parts.info, body: parts.body, changed: 0)
        )
    }

    /// Reads an item by what it says and by its secret.
    ///
    /// Without a form it is another program's: ours always say how they are to be read.
    func read(
        _ facts: ItemFacts,
        _ secret: RawSpan,
        _ header: KeyringHeader,
        withBody: Bool
    ) throws(StoreError) -> ItemReading {
        do throws(StoreError) {
            return try agreeing(facts, secret, header, withBody: withBody)
        } catch {
            switch error {
            case .tampered, .newerRecord: break
            default: throw error
            }
            guard facts.attributes[ItemNames.form] != nil else { return .stray(facts.path) }
            let id = facts.attributes[ItemNames.kind].flatMap { kind in
                facts.attributes[ItemNames.name].flatMap { try? RecordID(kind, $0) }
            }
            return .damaged(DamagedItem(path: facts.path, id: id, isNewer: error == .newerRecord))
        }
    }

    /// Reads an item whose secret agrees with what it says.
    ///
    /// - Throws: `tampered(.meta)` when the two do not agree; `newerRecord` for a form of later times.
    private func agreeing(
        _ facts: ItemFacts,
        _ secret: RawSpan,
        _ header: KeyringHeader,
        withBody: Bool
    ) throws(StoreError) -> ItemReading {
        let attributes = facts.attributes
        switch (attributes[ItemNames.form], attributes[ItemNames.meta]) {
        case ("plain", let meta?):
            return try readPlain(facts, meta, secret, header, withBody: withBody)
        case (nil, nil) where isPlain(attributes[ItemNames.kind]):
            return try readForeign(facts, secret, header, withBody: withBody)
        case ("record", _), (nil, nil):
            guard let reading = try read(facts.path, secret, header, withBody: withBody) else {
                throw Self.tampered(facts.path)
            }
            if case .record(let item) = reading { try agree(facts, item.info.id) }
            return reading
        case ("plain", nil) where secret.byteCount == 0: return .unfinished(facts.path)
        case ("plain", nil), (nil, _): throw Self.tampered(facts.path)
        default: throw .newerRecord
        }
    }

    private func readPlain(
        _ facts: ItemFacts,
        _ meta: String,
        _ secret: RawSpan,
        _ header: KeyringHeader,
        withBody: Bool
    ) throws(StoreError) -> ItemReading {
        guard secret.byteCount > 0 || facts.attributes[ItemNames.empty] == "1" else {
            return .unfinished(facts.path)
        }
        let info = try Array(meta.utf8).withBytes { text throws(StoreError) in
            try RecordText.meta(text, floor: header.floor)
        }
        guard let info, info.revision <= header.ceiling, secret.byteCount <= RecordLimits.body else {
            throw Self.tampered(facts.path)
        }
        try agree(facts, info.id)
        return .record(
            RecordItem(
                path: facts.path,
                form: .plain,
                info: info,
                body: withBody && !info.isNewer ? try Self.copy(secret) : nil,
                changed: facts.modified
            )
        )
    }

    /// What another program wrote, shown as a record; it has no history, and its identity is its place.
    private func readForeign(
        _ facts: ItemFacts,
        _ secret: RawSpan,
        _ header: KeyringHeader,
        withBody: Bool
    ) throws(StoreError) -> ItemReading {
        guard secret.byteCount <= RecordLimits.body, let kind = facts.attributes[ItemNames.kind],
            let name = facts.attributes[ItemNames.name], let id = try? RecordID(kind, name)
        else { return .stray(facts.path) }
        let info = RecordInfo(
            id: id,
            revision: 1,
            uid: Array(Hash.sha256(Array(facts.path.utf8)).prefix(RecordLimits.uid)),
            created: Self.milliseconds(facts.created),
            modified: Self.milliseconds(facts.modified),
            expires: 0,
            label: Self.shortened(facts.label),
            attributes: try Self.own(facts.attributes),
            predatesRestore: 1 < header.floor
        )
        return .record(
            RecordItem(
                path: facts.path,
                form: .foreign,
                info: info,
                body: withBody ? try Self.copy(secret) : nil,
                changed: facts.modified
            )
        )
    }

    /// Whether records of a kind are kept in the plain form; no kind at all is of none.
    private func isPlain(_ kind: String?) -> Bool {
        kind.flatMap { try? RecordKind($0) }.map { plainKinds.contains($0) } ?? false
    }

    /// Finds that an item is labelled with the record that it holds, byte for byte.
    private func agree(_ facts: ItemFacts, _ id: RecordID) throws(StoreError) {
        for (name, value) in [
            (ItemNames.vault, vault), (ItemNames.kind, id.kind.rawValue), (ItemNames.name, id.name),
        ] {
            guard let found = facts.attributes[name], found.utf8.elementsEqual(value.utf8) else {
                throw Self.tampered(facts.path)
            }
        }
    }

    /// An item that is not as it should be, by the last part of its path.
    static func tampered(_ path: ItemPath) -> StoreError {
        .tampered(.meta(row: Array(path.utf8.split(separator: 0x2F).last ?? [])))
    }

    private static func copy(_ secret: RawSpan) throws(StoreError) -> Secret {
        do { return Secret(try SecretBytes(copying: secret)) } catch { throw StoreError(error) }
    }

    private static func milliseconds(_ seconds: UInt64) -> UInt64 {
        let (product, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000)
        return isTooLarge ? .max : product
    }

    private static func shortened(_ label: String) -> String {
        var (short, count) = (String.UnicodeScalarView(), 0)
        for scalar in label.unicodeScalars {
            count += UTF8.width(scalar)
            guard count <= RecordLimits.label else { break }
            short.append(scalar)
        }
        return String(short)
    }

    /// The attributes that another program gave its item, as far as they fit a record.
    private static func own(_ attributes: [String: String]) throws(StoreError) -> Attributes {
        let fitting = attributes.filter { name, value in
            !ItemNames.isReserved(name) && (1...RecordLimits.attributeName).contains(name.utf8.count)
                && value.utf8.count <= RecordLimits.attributeValue
        }
        let first = fitting.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            .prefix(RecordLimits.attributes)
        return try Attributes(bytes: first.map { ($0.key, Array($0.value.utf8)) })
    }
}
