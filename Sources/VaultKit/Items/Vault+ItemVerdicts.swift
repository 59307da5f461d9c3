internal import RecordStore
internal import Secrets
package import VaultPolicy

extension Vault {
    /// The acts of a call that need a verdict, with what the vault knows of each item, for a program on the bus.
    ///
    /// An item that is not there, or that the program does not see, is none of them: what it is asked of then is left out,
    /// or refused as unknown.
    ///
    /// - Throws: what reading the vault refuses.
    package func itemActs(of request: OperationRequest, by requester: Requester) throws(VaultError) -> [Act] {
        guard requester.bus != nil else { return [] }
        let operation = request.policy.operation
        let loaded = try loadedItems()
        func facts(_ ids: [String]) -> [ItemFacts] {
            var seen: Set<String> = []
            return ids.compactMap { id in
                guard seen.insert(id).inserted, let record = loaded.index[id], isSeen(record, by: requester),
                    !items.closed.contains(record.collection)
                else { return nil }
                return self.itemFacts(record, for: requester, isShown: true)
            }
        }
        switch request.scope {
        case .none: return []
        case .values(let ids, _): return facts(ids).map { .item(operation: operation, $0) }
        case .changes(let ids): return facts(ids).map { .itemChange(operation: operation, $0) }
        case .replaced(let making):
            guard !items.closed.contains(making.collection),
                let found = replaced(by: making, in: loaded, for: requester)
            else { return [] }
            return [.itemChange(operation: operation, itemFacts(found, for: requester, isShown: true))]
        case .ending(let id):
            // An empty one says nothing to anyone.
            guard loaded.counts[id, default: 0] > 0 else { return [] }
            return [.collection(operation: operation, name: id)]
        case .becomingDefault(let id), .opening(let id): return [.collection(operation: operation, name: id)]
        case .applicationKey(let application):
            return [.applicationKey(operation: operation, name: application)]
        }
    }

    /// The label of each of these items that the vault has, by id.
    package func itemLabels(_ ids: [String]) throws(VaultError) -> [String: String] {
        let loaded = try loadedItems()
        return ids.reduce(into: [:]) { $0[$1] = loaded[$1]?.label }
    }

    /// Lets a program have items from now on without a question, as a person said: what is nobody's becomes its own.
    ///
    /// - Parameters:
    ///   - program: the program, or a script of the system together with the program that runs it.
    ///   - ids: the items.
    ///   - isScript: whether it is such a script, which owns nothing: its program made what it stores.
    /// - Returns: the items that it may have now; one that has as many readers as there may be is not among them.
    /// - Throws: what a change of the vault refuses.
    package func admit(
        _ program: ProgramIdentity,
        to ids: [String],
        isScript: Bool = false
    ) throws(VaultError) -> [String] {
        let before = items
        let isShared = isScript || SharedTools.contains(program)
        var stored: [String] = []
        let admitted = try transact(ItemTransaction.self) { (transaction) throws(VaultError) in
            let loaded = try loadedItems(transaction.reader)
            // Another process may have stored another value meanwhile.
            stored = ids.filter { loaded.index[$0].map(before.hasStorer) ?? false }
            var admitted: [String] = []
            for id in ids {
                guard var record = loaded.index[id] else { continue }
                // That a tool which anybody can run is the owner would say nothing. The key of an application stays where the portal finds it.
                let isReader = isShared || record.attributes.isOfApplicationKey
                switch (record.standing(for: program), isReader) {
                case (.own, false), (.granted, _): break
                case (.nobodys, false): record.owner = program
                case (.others, _), (.own, true), (.nobodys, true): Self.add(program, to: &record)
                }
                if record != loaded.index[id] { try transaction.replace(record) }
                guard record.owner == program || record.readers.contains(program) else { continue }
                admitted.append(id)
            }
            return admitted
        }
        items.keepStorers(of: stored, as: before)
        return admitted
    }

    /// Adds a reader where there is room for one.
    private static func add(_ program: ProgramIdentity, to record: inout ItemRecord) {
        guard !record.readers.contains(program), record.readers.count < ItemRecord.maximumReaders else {
            return
        }
        record.readers.append(program)
    }

    /// What an item that a program stores takes the place of; nil for nothing.
    func replaced(by making: ItemMaking, in loaded: LoadedItems, for requester: Requester?) -> ItemRecord? {
        guard making.replaces else { return nil }
        return loaded.index.replaced(
            by: making.attributes,
            in: making.collection,
            for: requester?.bus?.identity
        ) { record in
            requester.map { self.isSeen(record, by: $0) } ?? true
        }?.record
    }

    /// Whether a program sees an item at all, in searches and properties.
    ///
    /// A sandboxed one sees what is its own and what it was granted. One that is not known, which may be in a sandbox of
    /// any kind, sees what is nobody's: so does what it stores itself become.
    func isSeen(_ record: ItemRecord, by requester: Requester) -> Bool {
        guard let bus = requester.bus else { return true }
        guard let program = bus.identity else { return record.owner == nil }
        return !program.isSandboxed || [.own, .granted].contains(record.standing(for: program))
    }

    /// Whether an item has an owner, and the program that looks for it cannot be told: it may be that one.
    func isOfAnother(_ record: ItemRecord, _ requester: Requester) -> Bool {
        requester.bus.map { $0.identity == nil } ?? false && record.owner != nil
    }

    /// What a verdict needs to know of an item.
    ///
    /// - Parameters:
    ///   - record: the item.
    ///   - requester: the program that asks for it.
    ///   - isShown: whether a person may have to see it.
    /// - Returns: the facts at present.
    func itemFacts(_ record: ItemRecord, for requester: Requester, isShown: Bool) -> ItemFacts {
        let schema = record.attributes["xdg:schema"].map { String(decoding: $0, as: UTF8.self) }
        let shown =
            isShown ? record.attributes.pairs.filter { $0.name != Array("xdg:schema".utf8) }.prefix(3) : []
        // What a person let it have counts, also where it is the owner.
        let program = requester.bus?.identity
        let isGranted = [program, requester.scriptIdentity].contains { identity in
            identity.map { record.readers.contains($0) } ?? false
        }
        let standing = isGranted ? .granted : record.standing(for: program)
        return ItemFacts(
            id: record.id,
            label: record.label,
            owner: record.owner,
            schema: schema ?? ItemAttributes.genericSchema,
            standing: standing,
            isOwnValue: items.isStored(record, by: requester),
            hasEnded: record.expires > 0 && record.expires / 1_000 <= now(),
            created: record.created / 1_000,
            attributes: shown.map { pair in
                "\(String(decoding: pair.name, as: UTF8.self)): \(String(decoding: pair.value, as: UTF8.self))"
            }
        )
    }

    /// Whether a program may have an item without a question; nil for one that it does not see, or that a rule refuses.
    func isOpen(_ record: ItemRecord, for access: BusAccess) -> Bool? {
        guard isSeen(record, by: access.requester) else { return nil }
        let facts = itemFacts(record, for: access.requester, isShown: false)
        switch access.verdict(on: .item(operation: Operations.itemSearch.name, facts)) {
        case .allow: return !items.closed.contains(record.collection)
        case .ask: return false
        case .deny: return nil
        }
    }
}
