package import RecordStore
internal import VaultCrypto

extension KeyringSalvage {
    /// The records found so far, and their states.
    fileprivate struct Findings {
        var kept: [RecordID: (record: Record, status: LaneVerdict.RowStatus)] = [:]
        var lost: [RecordID: String] = [:]
        var leftOut: [RecordID] = []
    }

    /// Reads the readable part of a vault, and does not change the keyring.
    ///
    /// - Parameters:
    ///   - vaultID: The id of the vault.
    ///   - paths: The paths of anchor and lock.
    ///   - service: The keyring; it may ask for its password.
    /// - Returns: The kept and the lost records; all bodies are in memory.
    /// - Throws: `notAVault` if neither the keyring nor this machine has the root, because nothing else shows
    ///   which pages count; `newerFormat`, `newerRecord`; `keyringLocked`, `promptDismissed`, `keyringDied`;
    ///   `busy`.
    package static func read(
        vaultID: [UInt8],
        paths: KeyringPaths,
        items service: any ItemService
    ) throws(StoreError) -> KeyringSalvage {
        // Unlock first, because the keyring must not ask for a password while the lock is held.
        _ = try SecretServiceStore.unlockedPaths([ItemNames.vault: Hex.encode(vaultID)], service)
        _ = try SecretServiceStore.unlockedPaths(RootKey.query(vaultID), service)
        let place = try KeyringPlace(vaultID, paths, service, .none, .system, { 0 })
        let held = try place.lockFile.shared()
        defer { withExtendedLifetime(held) {} }
        let anchor = try? place.anchor.read()
        let line = held.line.map { AnchorText(vaultID: vaultID, position: $0.position, tag: $0.mark) }
        // The lock file may be ahead of an anchor that could not be written.
        let seen = [anchor, line].compactMap(\.self).max { $0.position < $1.position }
        var items = SalvagedItems(service, vaultID)
        let heads = try SalvagedHeads(place, seen, &items)
        guard let head = heads.roots.first else { throw .notAVault }
        return try read(head, besides: heads, seen, &items)
    }

    /// Reads the records that a root names, and former versions of the records that are lost.
    private static func read(
        _ head: SalvagedHeads.Head,
        besides heads: SalvagedHeads,
        _ seen: AnchorText?,
        _ items: inout SalvagedItems
    ) throws(StoreError) -> KeyringSalvage {
        let root = head.root
        let pages = try SalvagedPages(root.keys, in: head.collection, &items)
        var current = root.recent.values.compactMap(\.record)
        var gone: [Root.PageFacts] = []
        for page in root.pages {
            guard let records = try pages.records(of: page, root) else {
                gone.append(page)
                continue
            }
            current += records.filter { root.recent[$0.id] == nil }
        }
        var (findings, missing) = (Findings(), Set(gone.map(\.reference.id)))
        for record in current {
            guard !record.info.isNewer else { throw .newerRecord }
            if let body = try pages.body(of: record) {
                findings.kept[record.id] = (Record(info: record.info, body: body), .vouched)
            } else {
                findings.lost[record.id] = record.info.label
                if let page = record.bodyPage { missing.insert(page.id) }
            }
        }
        // All records of the root are known: those in the lost pages have been replaced or deleted since.
        let isAll = UInt64(findings.kept.count + findings.lost.count) == root.records
        let limit = max(
            root.generation,
            seen.map { $0.position.epoch == root.epoch ? $0.position.generation : 0 } ?? 0
        )
        var old = try pages.others(than: Set(root.pages.map(\.reference.id)), upTo: limit)
        for other in heads.roots.dropFirst() {
            old += other.root.recent.values.compactMap(\.record)
        }
        try findings.add(old, pages, isAll ? [] : gone, root)
        if !isAll { findings.nameEnds(of: gone, root) }
        let named = Set(missing.map(\.hex))
        let damaged = items.pages(pages.odd).filter { named.contains($0.value) }.keys
        return KeyringSalvage(
            vaultID: root.vaultID,
            position: root.position,
            isFromCopy: head.path == nil,
            damagedItems: items.describe(heads.odd.union(damaged).union(items.refused)),
            kept: findings.kept,
            lost: findings.lost,
            leftOut: findings.leftOut.sorted(),
            counted: root.records,
            seen: seen?.position,
            isFork: seen.map { $0.position == root.position && $0.tag != root.mark } ?? false
        )
    }
}

extension KeyringSalvage.Findings {
    /// Adds the newest former version of each record that is lost, or may have been in a lost page.
    fileprivate mutating func add(
        _ old: [StoredRecord],
        _ pages: SalvagedPages,
        _ gone: [Root.PageFacts],
        _ root: Root
    ) throws(StoreError) {
        for record in old.sorted(by: { $0.info.revision > $1.info.revision }) {
            let id = record.id
            let isLost = lost[id] != nil
            let mayCount = root.recent[id] == nil && gone.contains { $0.covers(id) }
            if case .vouched? = kept[id]?.status { continue }
            guard kept[id] == nil else { continue }
            guard isLost || mayCount, !record.info.isNewer, let body = try pages.body(of: record) else {
                if !isLost, !mayCount { leftOut.append(id) }
                continue
            }
            lost[id] = nil
            kept[id] = (Record(info: record.info, body: body), isLost ? .older : .doubtful)
        }
        leftOut = Set(leftOut).sorted()
    }

    /// Adds the first and the last record of each lost page, whose names the root contains, to the lost records.
    fileprivate mutating func nameEnds(of gone: [Root.PageFacts], _ root: Root) {
        for id in gone.flatMap({ [$0.first, $0.last] }) where root.recent[id] == nil && kept[id] == nil {
            lost[id] = ""
        }
    }
}
