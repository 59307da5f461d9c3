internal import RecordStore
internal import Secrets
package import VaultPolicy

extension Vault {
    /// The acts of a call that need a verdict for a program on the bus, with the vault's facts about each item.
    ///
    /// Missing items, and items that the program does not see, are left out: the call then skips them or
    /// refuses them as unknown.
    ///
    /// - Throws: the errors of reading the vault.
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
            // Removing an empty collection reveals nothing.
            guard loaded.counts[id, default: 0] > 0 else { return [] }
            return [.collection(operation: operation, name: id)]
        case .becomingDefault(let id), .opening(let id): return [.collection(operation: operation, name: id)]
        case .applicationKey(let application):
            return [.applicationKey(operation: operation, name: application)]
        }
    }

    /// The labels of these items by id, for items that the vault has.
    package func itemLabels(_ ids: [String]) throws(VaultError) -> [String: String] {
        let loaded = try loadedItems()
        return ids.reduce(into: [:]) { $0[$1] = loaded[$1]?.label }
    }

    /// Lets a program read items without a question, after a person's consent.
    ///
    /// The program becomes the owner of an item without an owner.
    ///
    /// - Parameters:
    ///   - program: the program, or a system script together with its interpreter.
    ///   - ids: the items.
    ///   - isScript: whether `program` is such a script, which owns nothing, because its interpreter stores
    ///     its items.
    /// - Returns: the ids that the program may read now; an item with the most readers allowed is left out.
    /// - Throws: the errors of a change of the vault.
    package func admit(
        _ program: ProgramIdentity,
        to ids: [String],
        isScript: Bool = false
    ) throws(VaultError) -> [String] {
        let before = items
        let isShared = isScript || SharedTools.contains(program)
        var stored: [String] = []
        let admitted = try transact(ItemTransaction.self) { transaction in
            let loaded = try loadedItems(transaction.reader)
            // Another process may have stored another value meanwhile.
            stored = ids.filter { loaded.index[$0].map(before.hasStorer) ?? false }
            var admitted: [String] = []
            for id in ids {
                guard var record = loaded.index[id] else { continue }
                // A shared tool is never made an owner. An application key must keep its owner, so that the portal finds it.
                let isReader = isShared || record.attributes.isOfApplicationKey
                switch (record.relation(for: program), isReader) {
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

    /// Adds a reader if the item has room for one.
    private static func add(_ program: ProgramIdentity, to record: inout ItemRecord) {
        guard !record.readers.contains(program), record.readers.count < ItemRecord.maximumReaders else {
            return
        }
        record.readers.append(program)
    }

    /// The item that a program's new item replaces; nil if there is none.
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

    /// Whether a program sees an item in searches and properties.
    ///
    /// A sandboxed program sees its own items and those granted to it. An unknown program, which may be in
    /// any sandbox, sees items without an owner; its own items have none either.
    func isSeen(_ record: ItemRecord, by requester: Requester) -> Bool {
        guard let bus = requester.bus else { return true }
        guard let program = bus.identity else { return record.owner == nil }
        return !program.isSandboxed || [.own, .granted].contains(record.relation(for: program))
    }

    /// Whether an item has an owner while the caller is unknown: the caller may be that owner.
    func isOfAnother(_ record: ItemRecord, _ requester: Requester) -> Bool {
        requester.bus.map { $0.identity == nil } ?? false && record.owner != nil
    }

    /// The facts about an item for a verdict.
    ///
    /// - Parameters:
    ///   - record: the item.
    ///   - requester: the program that asks for the item.
    ///   - isShown: whether a question may show the item's attributes.
    /// - Returns: the present facts.
    func itemFacts(_ record: ItemRecord, for requester: Requester, isShown: Bool) -> ItemFacts {
        let schema = record.attributes["xdg:schema"].map { String(decoding: $0, as: UTF8.self) }
        let shown =
            isShown ? record.attributes.pairs.filter { $0.name != Array("xdg:schema".utf8) }.prefix(3) : []
        // A grant by a person counts even if the program is the owner.
        let program = requester.bus?.identity
        let isGranted = [program, requester.scriptIdentity].contains { identity in
            identity.map { record.readers.contains($0) } ?? false
        }
        let relation = isGranted ? .granted : record.relation(for: program)
        return ItemFacts(
            id: record.id,
            label: record.label,
            owner: record.owner,
            schema: schema ?? ItemAttributes.genericSchema,
            relation: relation,
            isOwnValue: items.isStored(record, by: requester),
            hasEnded: record.expires > 0 && record.expires / 1_000 <= now(),
            created: record.created / 1_000,
            attributes: shown.map { pair in
                "\(String(decoding: pair.name, as: UTF8.self)): \(String(decoding: pair.value, as: UTF8.self))"
            }
        )
    }

    /// Whether a program may read an item without a question.
    ///
    /// Nil if the program does not see the item, or a rule refuses it.
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
