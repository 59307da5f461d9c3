internal import RecordStore
internal import VaultCrypto

/// The items of one vault: found, read, written, and read back.
struct Shelf: Sendable {
    let service: any ItemService
    let codec: ItemCodec
    /// The path of the collection that holds them.
    let collection: ItemPath

    /// Items of the vault's collection that have these attributes.
    ///
    /// - Throws: `keyringLocked` when one of them must be unlocked first.
    func paths(_ attributes: [String: String]) throws(StoreError) -> [ItemPath] {
        let found = try service.find(attributes)
        guard !found.locked.contains(where: isMine) else { throw .keyringLocked }
        return found.unlocked.filter(isMine)
    }

    /// The items of one record.
    ///
    /// - Throws: `tampered` and `newerRecord` when there are some, and none of them can be read.
    func records(
        _ id: RecordID,
        _ header: KeyringHeader,
        withBody: Bool
    ) throws(StoreError) -> Holding? {
        var shelved = try read(
            paths(codec.query(id)),
            describing: codec.plainKinds.contains(id.kind),
            header,
            withBody: withBody
        )
        // The provider found them under this name, so what they say has to be the same.
        shelved.refuse(under: id) { $0 == id }
        if let holding = shelved.holdings[id] { return holding }
        if let item = shelved.damaged.first {
            throw DamagedItem(path: item.path, id: id, isNewer: item.isNewer).error
        }
        // Another program may have written over the record: it is not "not there".
        guard shelved.strays.isEmpty else { throw .tampered(.record(DamagedRecord(id, part: .body))) }
        return nil
    }

    /// The items of all records of a kind, or of every kind.
    func records(_ kind: RecordKind?, _ header: KeyringHeader) throws(StoreError) -> Shelved {
        let all = try paths(codec.query(kind))
        guard let kind else {
            var known = codec.query(nil as RecordKind?)
            known[ItemNames.form] = "record"
            let written = Set(try paths(known))
            var shelved = Shelved()
            try read(all.filter(written.contains), describing: false, header, withBody: false, into: &shelved)
            try read(
                all.filter { !written.contains($0) },
                describing: true,
                header,
                withBody: false,
                into: &shelved
            )
            return shelved
        }
        var shelved = try read(all, describing: codec.plainKinds.contains(kind), header, withBody: false)
        shelved.refuse(under: nil) { $0.kind == kind }
        return shelved
    }

    /// Reads items; `describing` asks for what they say besides their secrets, too.
    func read(
        _ paths: [ItemPath],
        describing: Bool,
        _ header: KeyringHeader,
        withBody: Bool
    ) throws(StoreError) -> Shelved {
        var shelved = Shelved()
        try read(paths, describing: describing, header, withBody: withBody, into: &shelved)
        return shelved
    }

    private func read(
        _ paths: [ItemPath],
        describing: Bool,
        _ header: KeyringHeader,
        withBody: Bool,
        into shelved: inout Shelved
    ) throws(StoreError) {
        guard !paths.isEmpty else { return }
        var facts: [ItemPath: ItemFacts] = [:]
        if describing { for fact in try service.facts(of: paths) { facts[fact.path] = fact } }
        var odd: [ItemPath] = []
        try eachSecret(of: paths) { path, secret throws(StoreError) in
            if let facts = facts[path] {
                shelved.add(try codec.read(facts, secret, header, withBody: withBody))
            } else if let reading = try readAlone(path, secret, header, withBody: withBody) {
                shelved.add(reading)
            } else {
                odd.append(path)
            }
        }
        guard !odd.isEmpty else { return }
        guard describing else {
            // What it says of itself tells whether it is plain, damaged, or another program's.
            return try read(odd, describing: true, header, withBody: withBody, into: &shelved)
        }
        // It went between the two questions.
        for path in odd { shelved.add(.stray(path)) }
    }

    /// Reads an item by its secret alone; nil when what it says of itself is needed, too.
    func readAlone(
        _ path: ItemPath,
        _ secret: RawSpan,
        _ header: KeyringHeader,
        withBody: Bool
    ) throws(StoreError) -> ItemReading? {
        do throws(StoreError) {
            return try codec.read(path, secret, header, withBody: withBody)
        } catch {
            switch error {
            case .tampered, .newerRecord: return nil
            default: throw error
            }
        }
    }

    /// Lends the secrets of items.
    ///
    /// - Throws: `keyringLocked` when the service left out an item that is still there.
    func eachSecret(
        of paths: [ItemPath],
        _ visit: (ItemPath, RawSpan) throws(StoreError) -> Void
    ) throws(StoreError) {
        try Self.eachSecret(of: paths, service, codec, visit)
    }

    /// Lends the secrets of items, as above.
    static func eachSecret(
        of paths: [ItemPath],
        _ service: any ItemService,
        _ codec: ItemCodec,
        _ visit: (ItemPath, RawSpan) throws(StoreError) -> Void
    ) throws(StoreError) {
        var count = 0
        var seen: Set<ItemPath> = []
        try service.eachSecret(of: paths) { path, secret throws(StoreError) in
            count += 1
            seen.insert(path)
            try visit(path, secret)
        }
        guard count < paths.count else { return }
        // Gone, or locked since they were found: a locked item is not "nothing there".
        let left = try service.find([ItemNames.vault: codec.vault])
        guard (left.locked + left.unlocked).allSatisfy({ seen.contains($0) || !paths.contains($0) }) else {
            throw .keyringLocked
        }
    }

    /// Whether an item lies in the vault's collection.
    private func isMine(_ path: ItemPath) -> Bool {
        path.hasPrefix(collection) && path.dropFirst(collection.count).first == "/"
    }
}
