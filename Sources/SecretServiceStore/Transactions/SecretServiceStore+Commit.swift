public import RecordStore
internal import VaultCrypto

extension SecretServiceStore {
    /// Makes all changes, or none of them.
    ///
    /// - Throws: The errors of the protocol's contract; `readOnly`, `busy` after ten seconds, and the errors of the service:
    ///   then nothing has changed. `commitUnknown` if that is unknown. `anchorNotWritten` if the service may lose the change,
    ///   or has made it already, and the anchor cannot record it.
    @discardableResult
    public func commit(_ changes: ChangeSet) throws(StoreError) -> Revision {
        try changes.check()
        if changes.changes.isEmpty {
            return try read { reader throws(StoreError) in
                guard reader.floor == changes.floor else { throw .conflict }
                return reader.generation
            }
        }
        guard !isReadOnly else { throw .readOnly }
        return try unlocking { () throws(StoreError) in
            let transaction = try beginWriting()
            defer { withExtendedLifetime(transaction) {} }
            guard changes.floor == transaction.found.root.floor else { throw .conflict }
            let plan = try plan(changes, transaction)
            guard !plan.isEmpty else { return transaction.found.root.generation }
            try carryOut(plan, transaction)
            return transaction.found.root.generation
        }
    }

    /// The effects of a change set.
    struct Plan {
        var entries: [RecordID: Entry] = [:]
        /// New pages of long bodies.
        var made: [Page.Draft] = []
        var gone: [PageID] = []
        /// The change in the number of records.
        var added = 0
        /// The new copies of the records.
        var copies: [Copies.Copy] = []

        var isEmpty: Bool { entries.isEmpty }
    }

    /// Plans the items to write.
    ///
    /// - Throws: `conflict`, `newerRecord`, `tampered`; nothing is written then.
    func plan(_ changes: ChangeSet, _ transaction: WriteTransaction) throws(StoreError) -> Plan {
        let root = transaction.found.root
        let present = try items.records(changes.changes.map(\.id), root)
        guard root.generation < Root.lastGeneration else { throw .tampered(.head) }
        var (plan, fresh) = (Plan(), 0)
        for change in changes.changes {
            let (id, old) = (change.id, present[change.id])
            guard old?.info.isNewer != true else { throw .newerRecord }
            let revision = old?.info.revision ?? 0
            switch change {
            case .delete(_, let expected):
                guard expected == nil || expected == revision else { throw .conflict }
                guard old != nil else { continue }
                plan.entries[id] = .deleted(id)
                plan.added -= 1
                if copies.values.kinds.contains(id.kind) { plan.copies.append(.init(id: id)) }
            case .put(let draft, let expected):
                guard expected == revision else { throw .conflict }
                let info = draft.written(over: old?.info, revision: root.generation + 1, at: now(), entropy)
                let record = try stored(info, draft.body, root.keys, &plan.made)
                plan.entries[id] = .record(record)
                guard let copy = copies.copy(info, draft.body) else { break }
                if old == nil { fresh += 1 }
                plan.copies.append(copy)
            }
            if old == nil { plan.added += 1 }
            if let page = old?.bodyPage { plan.gone.append(page.id) }
        }
        // The service writes a whole file for each new copy, so many new copies wait for `doctor --fix`.
        if fresh > Copies.maximum { plan.copies.removeAll { present[$0.id] == nil } }
        return plan
    }

    /// Makes the stored form of a record; a long body gets a page of its own.
    func stored(
        _ info: RecordInfo,
        _ body: Secret,
        _ keys: MarkKeys,
        _ made: inout [Page.Draft]
    ) throws(StoreError) -> StoredRecord {
        let meta = MetaContent.encode(info)
        guard body.count > StoredRecord.longestInline else {
            return StoredRecord(info: info, meta: meta, body: .inline(body))
        }
        let page = try Page.draft(body: body, keys, entropy)
        made.append(page)
        return StoredRecord(info: info, meta: meta, body: .page(page.reference, body.count))
    }

    /// Makes the changes of a plan in one commit, which begins `epoch` if it is not nil.
    func carryOut(
        _ plan: Plan,
        _ transaction: WriteTransaction,
        epoch: UInt32? = nil
    ) throws(StoreError) {
        let old = transaction.found.root
        var next = try old.next(plan.entries, entropy) { pages throws(StoreError) in
            try items.pages(pages, old)
        }
        next.made += plan.made
        next.gone += plan.gone
        next.root.generation += 1
        if let epoch { next.root.epoch = epoch }
        next.root.records = UInt64(max(0, Int(clamping: old.records) + plan.added))
        next.root.pending = plan.copies.map(\.id)
        if !transaction.isTidy { next.root.pending = Set(next.root.pending + old.pending).sorted() }
        try write(next, transaction) { () throws(StoreError) in try copies.publish(plan.copies) }
    }

    /// Makes pages, replaces the root, and removes old pages.
    ///
    /// - Parameters:
    ///   - next: The new state; its root gets a new mark.
    ///   - transaction: The transaction, which has the new root afterwards.
    ///   - publishing: The work after the change; if it fails, the next transaction repeats it.
    /// - Throws: The errors of the service; `anchorNotWritten` after the root was replaced. The new root then remains valid,
    ///   because undoing it could leave an anchor that is ahead.
    func write(
        _ next: NextRoot,
        _ transaction: WriteTransaction,
        publishing: () throws(StoreError) -> Void = {}
    ) throws(StoreError) {
        var next = next
        next.root.mark = entropy.bytes(16)
        try transaction.held.write(transaction.found.root.line.dirty)
        try items.make(next.made)
        let (found, isAnswered) = try items.replace(transaction.found.path, with: next.root)
        transaction.found = found
        remember(found, isOwn: true)
        do throws(StoreError) {
            try raiseAnchor(to: found.root, transaction.anchor, isNeeded: transaction.needsAnchor)
        } catch {
            // The new root remains valid without the anchor; an older copy of the root would count as current.
            place.rootCopy.remove()
            throw .anchorNotWritten(path: anchor.path, isMade: true)
        }
        keepCopy(of: found)
        do throws(StoreError) {
            try items.remove(next.gone)
            try publishing()
            // If work is left, the lock file stays dirty, and the next transaction does it.
            if isAnswered, transaction.isTidy { settle(found, transaction.held) }
        } catch {}
    }
}
