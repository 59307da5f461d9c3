internal import LocalState
internal import RecordStore
internal import VaultCrypto

extension SecretServiceStore {
    /// Takes a vault of format 1 over, under the lock.
    ///
    /// Its header becomes the root with one call, the turning point: before it the vault is as it was, after it older
    /// programs say that a newer one made it. The generation is beyond the ceiling, so that items of format 1 that are put
    /// back later are known to be old.
    ///
    /// - Throws: `tampered`, `newerRecord` when a record cannot be read; nothing has changed then.
    func takeOver(acceptsRollback: Bool) throws(StoreError) {
        let held = try lockFile.exclusive()
        let needsAnchor = try needsAnchor
        // One that may be read and not written tells of a rollback all the same.
        let seen = try self.anchor.read()
        // One that cannot be written, or that another program holds, is found before anything changes.
        let anchor = try holdAnchor(isNeeded: needsAnchor)
        let paths = try items.paths(items.query(ItemNames.rootSchema))
        guard case .format1(let path, let header) = try KeyringItems.head(in: paths, items.service, vaultID)
        else { return }
        if !acceptsRollback { try header.judge(anchor?.seen ?? seen) }
        let old = try Format1(items, header)
        guard header.ceiling < Root.lastGeneration else { throw .tampered(.head) }
        var next = NextRoot(
            root: Root(
                vaultID: vaultID,
                keys: try MarkKeys.make(entropy),
                epoch: header.epoch,
                generation: header.ceiling + 1,
                floor: header.floor,
                mark: entropy.bytes(16)
            )
        )
        try fill(&next, old.records.values.map { ($0.info, $0.body) })
        try held.write(next.root.line.before.dirty)
        try items.removeUnrooted()
        try items.make(next.made)
        let (found, _) = try items.replace(path, with: next.root)
        // Where that fails, the vault has its new layout and what it was opened for has not begun: trying again is right.
        try raiseAnchor(to: found.root, anchor, isNeeded: needsAnchor)
        keepCopy(of: found, checksKey: true)
        do throws(StoreError) {
            try copies.publish(found.root.pending, found.root)
            try items.removeFormat1(found.root)
            settle(found, held)
        } catch {
            // What is left is done by the next one to come: the lock file says so.
        }
    }

    /// Puts records into pages of a root that has none yet; copies of theirs wait unless they are few.
    func fill(_ next: inout NextRoot, _ records: [(RecordInfo, Secret)]) throws(StoreError) {
        var (entries, bodies): ([RecordID: Entry], [Page.Draft]) = ([:], [])
        for (info, body) in records {
            entries[info.id] = .record(try stored(info, body, next.root.keys, &bodies))
        }
        next = try next.root.next(entries, entropy) { _ in ReadPages() }
        next.made += bodies
        next.root.records = UInt64(entries.count)
        let shown = records.filter { copies.copy($0.0, $0.1)?.draft != nil }.map(\.0.id)
        next.root.pending = shown.count > Copies.maximum ? [] : shown.sorted()
    }
}

extension LockLine {
    /// The place in the history before this one: what a change under way begins from.
    fileprivate var before: LockLine {
        LockLine(
            vaultID: vaultID,
            position: Position(epoch: position.epoch, generation: position.generation - 1),
            floor: floor,
            mark: mark,
            isClean: isClean
        )
    }
}
