public import RecordStore
internal import VaultCrypto

extension SecretServiceStore {
    /// The collection, position and record count of the vault, without reading every record.
    public func status() throws(StoreError) -> KeyringStatus {
        let root = try reading { $0.root }
        return KeyringStatus(
            collection: collection,
            position: root.position,
            records: root.records,
            floor: root.floor,
            isReadOnly: isReadOnly,
            events: noted
        )
    }

    /// Reads every record with its secret, and compares the copies for other programs.
    ///
    /// - Throws: `tampered` for a record that fails authentication.
    public func verify() throws(StoreError) -> KeyringReport {
        let report = try inspect()
        if let damaged = report.damaged.first { throw .tampered(.record(damaged)) }
        return report
    }

    /// Like `verify`, but reports damaged records instead of throwing.
    public func inspect() throws(StoreError) -> KeyringReport {
        try reading { found throws(StoreError) in
            let inspection = try Inspection(found, items, copies)
            return KeyringReport(
                records: inspection.sound,
                damaged: inspection.damaged,
                strays: inspection.strays.isEmpty
                    ? [] : try items.service.facts(of: inspection.strays).map(\.label),
                differing: inspection.differing.map(\.id),
                unpublished: inspection.unpublished.count,
                generation: found.root.generation
            )
        }
    }

    /// The most copies of new records that one commit makes; `publishCopies` makes the rest.
    package static var copiesOfOneCommit: Int { Copies.maximum }

    /// Updates the copies for other programs from their records; the service writes a whole file for each.
    ///
    /// Releases the lock after each batch, so that other programs need not wait for all copies.
    ///
    /// - Parameters:
    ///   - onlyMissing: Whether to keep copies that another program overwrote.
    ///   - done: Gets the number of finished copies and of all copies.
    /// - Returns: the number of copies made, changed or removed.
    /// - Throws: the errors of the service; the copies before the error are written.
    @discardableResult
    package func publishCopies(
        onlyMissing: Bool = false,
        done: (_ count: Int, _ all: Int) -> Void = { _, _ in }
    ) throws(StoreError) -> Int {
        guard !isReadOnly else { throw .readOnly }
        var (count, all) = (0, Int.max)
        // Each differing copy is written only once: the service may never store it as wanted.
        while count < all {
            let (made, left) = try unlocking { () throws(StoreError) in
                let transaction = try beginWriting()
                defer { withExtendedLifetime(transaction) {} }
                let inspection = try Inspection(transaction.found, items, copies)
                let differing = onlyMissing ? [] : inspection.differing
                let wanted = differing.count + inspection.unpublished.count
                if all == Int.max { all = wanted }
                let changed = differing.prefix(Copies.maximum)
                let new = inspection.unpublished.prefix(Copies.maximum - changed.count)
                let before = count
                try copies.publish(Array(changed), anew: true) { done(before + $0, all) }
                try copies.make(Array(new)) { done(before + changed.count + $0, all) }
                return (changed.count + new.count, wanted - changed.count - new.count)
            }
            count += made
            if left == 0 { break }
        }
        return count
    }

    /// Removes unreadable items from the vault; they stay in the keyring under another schema.
    ///
    /// - Returns: the number of stray items or of damaged records, the larger one.
    @discardableResult
    package func setAside() throws(StoreError) -> Int {
        guard !isReadOnly else { throw .readOnly }
        return try unlocking { () throws(StoreError) in
            let transaction = try beginWriting()
            defer { withExtendedLifetime(transaction) {} }
            let inspection = try Inspection(transaction.found, items, copies)
            if !inspection.damaged.isEmpty { try leaveOut(inspection, transaction) }
            // The new root does not name the damaged pages any more.
            let left =
                inspection.damaged.isEmpty ? inspection : try Inspection(transaction.found, items, copies)
            try Self.setAside(left.strays, items.service)
            return max(left.strays.count, inspection.damaged.count)
        }
    }

    /// Removes roots and pages from an unreadable vault; the items stay in the keyring under another schema.
    package static func setAside(vaultID: [UInt8], items service: any ItemService) throws(StoreError) {
        for schema in ItemNames.all where schema != ItemNames.copySchema {
            try setAside(try unlockedPaths(KeyringItems.query(schema, vaultID), service), service)
        }
    }

    static func setAside(_ paths: [ItemPath], _ service: any ItemService) throws(StoreError) {
        for facts in paths.isEmpty ? [] : try service.facts(of: paths) {
            var attributes = facts.attributes
            attributes[ItemNames.schema] = ItemNames.asideSchema
            attributes[ItemNames.aside] = attributes.removeValue(forKey: ItemNames.vault)
            try service.describe(facts.path, label: facts.label, attributes: attributes)
        }
    }

    /// Commits the vault without its unreadable records.
    private func leaveOut(_ inspection: Inspection, _ transaction: WriteTransaction) throws(StoreError) {
        guard transaction.found.root.generation < Root.lastGeneration else { throw .tampered(.head) }
        let old = transaction.found.root.dropping(inspection.damagedPages)
        let entries = [RecordID: Entry](inspection.bodiless.map { ($0.id, .deleted($0.id)) }) { $1 }
        var next = try old.next(entries, entropy) { pages throws(StoreError) in try items.pages(pages, old) }
        next.root.generation += 1
        next.root.records = UInt64(max(0, inspection.sound))
        try write(next, transaction)
    }

    /// Accepts an old copy as the vault: all its records count as written before a restore.
    ///
    /// Floor and generation rise above everything that the root, the lock file or the anchor has seen.
    ///
    /// - Throws: `rollback` for a copy from before the vault was moved, or from an earlier key epoch.
    public func acceptRollback() throws(StoreError) {
        guard !isReadOnly else { throw .readOnly }
        try unlocking { () throws(StoreError) in
            let transaction = try beginWriting(acceptsRollback: true)
            let found = transaction.found.root.position
            for seen in [transaction.anchor?.seen?.position, transaction.before] {
                if let seen, seen.epoch > found.epoch { throw .rollback(found: found, expected: seen) }
            }
            try raiseFloor(transaction)
        }
    }

    /// Marks all records as written before a restore, after finishing an interrupted change.
    ///
    /// For a vault unknown to this machine: it may be a copy of a vault in use elsewhere.
    func countAsRestored() throws(StoreError) {
        try unlocking { () throws(StoreError) in try raiseFloor(beginWriting()) }
    }

    private func raiseFloor(_ transaction: WriteTransaction) throws(StoreError) {
        let positions = [transaction.anchor?.seen?.position, transaction.before].compactMap(\.self)
        var root = transaction.found.root
        root.epoch = positions.reduce(root.epoch) { max($0, $1.epoch) }
        let newest = positions.reduce(root.generation) { max($0, $1.generation) }
        guard newest < Root.lastGeneration else { throw .tampered(.head) }
        root.generation = newest + 1
        root.floor = root.generation
        try write(NextRoot(root: root), transaction)
    }
}
