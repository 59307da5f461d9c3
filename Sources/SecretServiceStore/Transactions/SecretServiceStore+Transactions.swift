internal import RecordStore
internal import VaultCrypto

extension SecretServiceStore {
    /// Acquires the readers' shared lock, and finds the root.
    ///
    /// - Throws: `rollback` and `fork` if another copy of the vault has newer commits, or the vault was moved away; `rekeyed`
    ///   if another process began a key epoch; `anchorNotWritten` if the service may lose the newest commit and the anchor
    ///   cannot record it.
    func beginReading() throws(StoreError) -> (HeldLock, FoundRoot) {
        let held = try lockFile.shared()
        let seen = try readAnchor()
        let found = try root(held.line, seen)
        if !takesOldCopies {
            try found.root.judge(seen, held.line)
            try checkEpoch(of: found.root)
            // The process that replaced the root may have died before it raised the anchor.
            if !isReadOnly, found.root.isBeyond(seen), try needsAnchor {
                try raiseAnchor(to: found.root, isNeeded: true)
            }
        }
        remember(found)
        return (held, found)
    }

    /// Acquires the exclusive lock, compares the anchor, and finishes an interrupted commit.
    ///
    /// - Throws: The errors of `beginReading`, without `rollback`, `fork` and `rekeyed` if `acceptsRollback`.
    func beginWriting(acceptsRollback: Bool = false) throws(StoreError) -> WriteTransaction {
        let held = try lockFile.exclusive()
        let needsAnchor = try needsAnchor
        let anchor = try holdAnchor(isNeeded: needsAnchor)
        let found = try root(held.line, anchor?.seen)
        if !acceptsRollback {
            try found.root.judge(anchor?.seen, held.line)
            try checkEpoch(of: found.root)
        }
        let transaction = WriteTransaction(held: held, anchor: anchor, needsAnchor: needsAnchor, found: found)
        remember(found)
        if held.line != found.root.line { try recover(transaction) }
        return transaction
    }

    /// Finds the valid root.
    ///
    /// The item that contained the root before is read first. If it is older than the lock file, another process may have
    /// written to a second item with equal text, so all items are read.
    private func root(_ line: LockLine?, _ seen: AnchorText?) throws(StoreError) -> FoundRoot {
        let known = try known()
        let marks = [line?.mark, seen?.tag].compactMap(\.self)
        let found = try items.root(known, marks: marks)
        guard known != nil, let line, found.root.position < line.position else { return found }
        return try items.root(marks: marks)
    }

    /// Finishes a commit that was, or may have been, interrupted; the lock file does not distinguish these cases.
    private func recover(_ transaction: WriteTransaction) throws(StoreError) {
        let root = transaction.found.root
        try transaction.held.write(root.line.dirty)
        let removed = try items.removeLeftovers(root)
        noteCleanedUp(removed)
        keepCopy(of: transaction.found, checksKey: true)
        do throws(StoreError) {
            try copies.publish(root.pending, root)
            try transaction.held.write(root.line)
        } catch {
            // An error with a copy must not block the transaction.
            transaction.isTidy = false
        }
    }

    /// Reads the anchor; returns nil if it is missing or unreadable.
    private func readAnchor() throws(StoreError) -> AnchorText? {
        do throws(StoreError) {
            return try anchor.read()
        } catch {
            guard error != .busy else { throw error }
            return nil
        }
    }

    /// True if only the anchor can reveal a lost commit, because the service may lose acknowledged changes.
    var needsAnchor: Bool {
        get throws(StoreError) { try !items.service.isDurable() }
    }

    /// Locks the anchor; an unreadable anchor is reported when it is raised, and is an error here only if it is needed.
    func holdAnchor(isNeeded: Bool) throws(StoreError) -> HeldAnchor? {
        do throws(StoreError) {
            return isNeeded ? try anchor.holdOrMake() : try anchor.hold()
        } catch {
            guard error != .busy else { throw error }
            guard isNeeded else { return nil }
            throw .anchorNotWritten(path: anchor.path, isMade: false)
        }
    }

    /// Raises the anchor to a root.
    ///
    /// - Parameters:
    ///   - root: The new root.
    ///   - held: The anchor, if it is locked already.
    ///   - isNeeded: Whether the anchor must be synced to the disk before the caller continues. If not, a failure is only
    ///     noted, because the change has already happened.
    /// - Throws: `busy` and `anchorNotWritten`, only if `isNeeded`.
    func raiseAnchor(to root: Root, _ held: HeldAnchor? = nil, isNeeded: Bool) throws(StoreError) {
        do throws(StoreError) {
            if let held {
                try held.raise(to: root.anchor, isSynced: isNeeded)
            } else {
                try anchor.raise(to: root.anchor, isSynced: isNeeded)
            }
        } catch {
            guard isNeeded else { return note(.anchorNotWritten(error)) }
            throw error == .busy ? error : .anchorNotWritten(path: anchor.path, isMade: false)
        }
    }

    /// Marks the lock file as clean; if that fails, it stays dirty, which is harmless.
    func settle(_ found: FoundRoot, _ held: HeldLock) {
        try? held.write(found.root.line)
        remember(found)
    }
}

extension Root {
    /// The clean line of the lock file for this root.
    var line: LockLine {
        LockLine(vaultID: vaultID, position: position, floor: floor, mark: mark, isClean: true)
    }

    /// Returns whether this root has a later position than the anchor; true without an anchor.
    func isBeyond(_ seen: AnchorText?) -> Bool { seen.map { $0.position < position } ?? true }

    /// Compares the root with the newest positions in the history that were seen on this machine.
    ///
    /// - Parameters:
    ///   - seen: The anchor.
    ///   - line: The lock file, which records at least the position before the last commit.
    /// - Throws: `rollback` if the root is older; `fork` if it has the position, but another mark.
    func judge(_ seen: AnchorText?, _ line: LockLine?) throws(StoreError) {
        try seen?.check(position, tag: mark)
        guard let line else { return }
        try AnchorText(vaultID: vaultID, position: line.position, tag: line.mark).check(position, tag: mark)
    }
}

/// A transaction that may change a vault: it holds the lock and the anchor, and no interrupted commit is left.
final class WriteTransaction {
    let held: HeldLock
    let anchor: HeldAnchor?
    /// Whether each commit must be recorded in the anchor, because the service may lose acknowledged changes.
    let needsAnchor: Bool
    /// The present root, which each commit replaces.
    var found: FoundRoot
    /// False if cleaning up after an earlier commit failed.
    var isTidy = true
    /// The position in the lock file when the lock was acquired.
    let before: Position?

    init(held: HeldLock, anchor: HeldAnchor?, needsAnchor: Bool, found: FoundRoot) {
        self.held = held
        self.anchor = anchor
        self.needsAnchor = needsAnchor
        self.found = found
        before = held.line?.position
    }
}
