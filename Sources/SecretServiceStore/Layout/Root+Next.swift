internal import RecordStore
internal import VaultCrypto

/// A future root, the pages to make for it, and the pages that it no longer names.
struct NextRoot: Sendable {
    var root: Root
    var made: [Page.Draft] = []
    var gone: [PageID] = []
}

extension Root {
    /// Returns the root after some changes.
    ///
    /// The changes become recent entries. If these exceed `longestRecent`, all recent entries move to pages. An unreadable page
    /// stays, and so do the recent entries of its records.
    ///
    /// - Parameters:
    ///   - entries: The changes, one for each record.
    ///   - entropy: The source of the ids of new pages.
    ///   - reading: Reads pages of this root.
    /// - Returns: The root, the pages to make before it is written, and the pages to remove after it.
    /// - Throws: The errors of `reading`, and of making a page.
    func next(
        _ entries: [RecordID: Entry],
        _ entropy: Entropy,
        reading: ([PageFacts]) throws(StoreError) -> ReadPages
    ) throws(StoreError) -> NextRoot {
        var next = NextRoot(root: self)
        for (id, entry) in entries {
            // The deletion of a record that no page covers needs no entry.
            next.root.recent[id] = entry.record == nil && page(of: id) == nil ? nil : entry
        }
        guard next.root.recentSize > Self.longestRecent else { return next }
        try next.merge(entropy, reading)
        return next
    }

    /// Returns this root without damaged pages, and without the entries of deletions that no remaining page needs.
    func dropping(_ damaged: Set<PageID>) -> Root {
        var root = self
        root.pages.removeAll { damaged.contains($0.reference.id) }
        for (id, entry) in recent where entry.record == nil && root.page(of: id) == nil {
            root.recent[id] = nil
        }
        return root
    }
}

extension NextRoot {
    /// Moves the recent entries to pages.
    fileprivate mutating func merge(
        _ entropy: Entropy,
        _ reading: ([Root.PageFacts]) throws(StoreError) -> ReadPages
    ) throws(StoreError) {
        let old = root
        var changes: [Int: [Entry]] = [:]
        for entry in root.recent.values.sorted(by: { $0.id < $1.id }) {
            changes[old.slot(of: entry.id) ?? -1, default: []].append(entry)
        }
        let read = try reading(changes.keys.sorted().filter { $0 >= 0 }.map { old.pages[$0] })
        root.pages = []
        root.recent = [:]
        // Adjacent pages that can be read are divided again together, so that small pages do not accumulate.
        var run = Self.merged([], changes[-1] ?? [])
        for (index, page) in old.pages.enumerated() {
            if let records = read.records[page.reference.id] {
                run += Self.merged(records, changes[index] ?? [])
                gone.append(page.reference.id)
            } else {
                try cut(run, entropy)
                run = []
                root.pages.append(page)
                for entry in changes[index] ?? [] { root.recent[entry.id] = entry }
            }
        }
        try cut(run, entropy)
    }

    private static func merged(_ records: [StoredRecord], _ changes: [Entry]) -> [StoredRecord] {
        guard !records.isEmpty else { return changes.compactMap(\.record) }
        var all = [RecordID: StoredRecord](records.map { ($0.id, $0) }) { $1 }
        for entry in changes { all[entry.id] = entry.record }
        return all.values.sorted { $0.id < $1.id }
    }

    /// Divides records into pages of similar size.
    private mutating func cut(_ records: [StoredRecord], _ entropy: Entropy) throws(StoreError) {
        let sizes = records.map { Entry.record($0).size }
        let total = sizes.reduce(0, +)
        let count = (total + Page.largest - 1) / Page.largest
        guard count > 0 else { return }
        let target = (total + count - 1) / count
        var (start, size) = (0, 0)
        for index in records.indices {
            size += sizes[index]
            let isFull = size + (index + 1 < sizes.count ? sizes[index + 1] : 0) > max(target, 1)
            guard isFull && size >= target / 2 || size > Page.largest || index + 1 == records.count else {
                continue
            }
            try add(Array(records[start...index]), entropy)
            (start, size) = (index + 1, 0)
        }
    }

    private mutating func add(_ records: [StoredRecord], _ entropy: Entropy) throws(StoreError) {
        guard let first = records.first, let last = records.last else { return }
        let draft = try Page.draft(records, root.keys, entropy)
        made.append(draft)
        root.pages.append(
            Root.PageFacts(reference: draft.reference, first: first.id, last: last.id, count: records.count)
        )
    }
}
