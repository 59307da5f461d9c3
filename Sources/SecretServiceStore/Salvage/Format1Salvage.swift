internal import RecordStore
internal import VaultCrypto

/// The records of a vault of format 1 that can be read.
///
/// Its header has no count, so nothing tells what is missing.
struct Format1Salvage {
    private(set) var records: [RecordID: Record] = [:]
    /// Names of records that cannot be read.
    private(set) var lost: [RecordID: String] = [:]
    /// Items that hold no record any more, or a change set that cannot be read.
    private(set) var damaged: Set<ItemPath> = []

    /// Reads each item, and carries out the change set that waits, where that can be read.
    ///
    /// - Throws: `newerRecord`; what the service answers.
    init(
        _ header: KeyringHeader,
        in collection: ItemPath,
        _ items: inout SalvagedItems
    ) throws(StoreError) {
        for path in try items.paths(ItemNames.format1Schemas[0], in: collection) {
            guard let facts = try items.service.facts(of: [path]).first else { continue }
            let reading = try items.read(path) { text throws(StoreError) in
                try Format1Reading(facts, text, floor: header.floor)
            }
            switch reading {
            case .record(let item) where item.info.revision <= header.ceiling:
                add(item.info, item.body)
            case .damaged(_, isNewer: true): throw .newerRecord
            case .damaged(let id, isNewer: false):
                damaged.insert(path)
                if let id { lost[id] = facts.label }
            case .record, .unfinished, .foreign, nil: continue
            }
        }
        var waiting: [Redo] = []
        for path in try items.paths(ItemNames.format1Schemas[1], in: collection) {
            do throws(StoreError) {
                let redo = try items.read(path) { text throws(StoreError) in try Redo.read(text) }
                if let redo, redo.generation <= header.ceiling { waiting.append(redo) }
            } catch .tampered {
                damaged.insert(path)
            }
        }
        // What was deleted has no revision left: an older set must not bring it back.
        for redo in waiting.sorted(by: { $0.generation < $1.generation }) { carryOut(redo) }
        for id in records.keys { lost[id] = nil }
    }

    /// Of two items of a record the one with the higher revision counts.
    private mutating func add(_ info: RecordInfo, _ body: Secret) {
        guard info.revision > records[info.id]?.info.revision ?? 0 else { return }
        records[info.id] = Record(info: info, body: body)
    }

    private mutating func carryOut(_ redo: Redo) {
        for step in redo.steps where records[step.id]?.info.revision ?? 0 < redo.generation {
            switch step {
            case .put(let info, let body): records[info.id] = Record(info: info, body: body)
            case .delete(let id):
                records[id] = nil
                lost[id] = nil
            }
        }
    }
}
