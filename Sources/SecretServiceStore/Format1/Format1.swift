internal import RecordStore
internal import VaultCrypto

/// Every record of a vault of format 1, one item each, with a change set that waits carried out.
struct Format1 {
    private(set) var records: [RecordID: (info: RecordInfo, body: Secret)] = [:]

    /// Reads all of it.
    ///
    /// - Throws: `tampered` and `newerRecord` for a record that cannot be read: nothing of it would come over.
    init(_ items: KeyringItems, _ header: KeyringHeader) throws(StoreError) {
        let (found, redo) = (try items.format1Items(floor: header.floor), try items.redo(header))
        for (_, reading) in found {
            switch reading {
            case .record(let item):
                guard item.info.revision <= header.ceiling else {
                    throw .tampered(.record(DamagedRecord(item.info.id, part: .body)))
                }
                // Of two items of a record the one with the higher revision counts.
                if let other = records[item.info.id], other.info.revision >= item.info.revision { continue }
                records[item.info.id] = (item.info, item.body)
            case .damaged(_, isNewer: true): throw .newerRecord
            case .damaged(let id, isNewer: false): throw .tampered(.record(DamagedRecord(id, part: .body)))
            case .unfinished, .foreign: continue
            }
        }
        for step in redo?.steps ?? [] {
            guard let redo, records[step.id]?.info.revision ?? 0 < redo.generation else { continue }
            switch step {
            case .put(let info, let body): records[info.id] = (info, body)
            case .delete(let id): records[id] = nil
            }
        }
    }
}

extension KeyringItems {
    private static let (recordSchema, redoSchema) = (ItemNames.format1Schemas[0], ItemNames.format1Schemas[1])

    /// The items of format 1 that are records, or should be.
    fileprivate func format1Items(
        floor: UInt64
    ) throws(StoreError) -> [(path: ItemPath, reading: Format1Reading)] {
        let paths = try paths(query(Self.recordSchema))
        var facts: [ItemPath: ItemFacts] = [:]
        for one in paths.isEmpty ? [] : try service.facts(of: paths) { facts[one.path] = one }
        var found: [(path: ItemPath, reading: Format1Reading)] = []
        try eachSecret(of: paths) { path, secret throws(StoreError) in
            // It may have gone between the two questions.
            guard let facts = facts[path] else { return }
            found.append((path, try Format1Reading(facts, secret, floor: floor)))
        }
        return found
    }

    /// The change set that waits to be carried out.
    ///
    /// - Throws: `tampered(.head)` when it is malformed, or not one alone.
    fileprivate func redo(_ header: KeyringHeader) throws(StoreError) -> Redo? {
        var (found, count, isOdd): (Redo?, Int, Bool) = (nil, 0, false)
        try eachSecret(of: paths(query(Self.redoSchema))) { _, secret throws(StoreError) in
            do throws(StoreError) {
                found = try Redo.read(secret) ?? found
                count += 1
            } catch {
                guard error == .tampered(.head) else { throw error }
                isOdd = true
            }
        }
        guard count < 2, count > 0 || !isOdd, found?.generation ?? 0 <= header.ceiling else {
            throw .tampered(.head)
        }
        return found
    }

    /// Removes pages of an earlier try that was cut off: there was no root yet that could name them, and their key is gone.
    ///
    /// What is no page stays: it is another program's.
    func removeUnrooted() throws(StoreError) {
        var left: [ItemPath] = []
        try eachSecret(of: paths(query(ItemNames.pageSchema))) { path, text throws(StoreError) in
            let content = try Page.content(text)
            if text.byteCount == 0 || content != nil { left.append(path) }
        }
        for path in left.sorted() { try service.delete(path) }
    }

    /// Removes items of format 1 whose records the vault has now, then the change set.
    ///
    /// What another program wrote stays.
    func removeFormat1(_ root: Root) throws(StoreError) {
        let found = try format1Items(floor: 0)
        let redos = try paths(query(Self.redoSchema))
        guard !found.isEmpty || !redos.isEmpty else { return }
        let present = try records(nil, root).records
        let revisions = [[UInt8]: Revision](present.map { ($0.info.uid, $0.info.revision) }) { $1 }
        for (path, reading) in found.sorted(by: { $0.path < $1.path }) {
            switch reading {
            case .unfinished: try service.delete(path)
            case .record(let item) where item.info.revision <= revisions[item.info.uid] ?? 0:
                try service.delete(path)
            case .record, .foreign, .damaged: continue
            }
        }
        for path in redos {
            var isOurs = false
            try eachSecret(of: [path]) { _, text throws(StoreError) in
                do throws(StoreError) {
                    _ = try Redo.read(text)
                    isOurs = true
                } catch {
                    guard error == .tampered(.head) else { throw error }
                }
            }
            if isOurs { try service.delete(path) }
        }
    }
}
