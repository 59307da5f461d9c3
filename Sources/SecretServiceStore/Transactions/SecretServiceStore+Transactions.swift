internal import RecordStore
internal import VaultCrypto

extension SecretServiceStore {
    /// Takes the lock with other readers, and finds the root.
    ///
    /// - Throws: `rollback` and `fork` when another copy of the vault went ahead, or it was moved away; `rekeyed` when
    ///   another process began a key epoch; `anchorNotWritten` when the service may lose what is there, and the anchor does not tell of it.
    func beginReading() throws(StoreError) -> (HeldLock, FoundRoot) {
        let held = try lockFile.shared()
        let seen = try readAnchor()
        let found = try root(held.line, seen)
        if !takesOldCopies {
            try found.root.judge(seen, held.line)
            try checkEpoch(of: found.root)
            // Anyone who replaced the root may have died before the anchor was raised.
            if !isReadOnly, found.root.isBeyond(seen), try needsAnchor {
                try raiseAnchor(to: found.root, isNeeded: true)
            }
        }
        remember(found)
        return (held, found)
    }

    /// Takes the lock alone, compares the anchor, and leaves nothing interrupted behind.
    ///
    /// - Throws: As above.
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

    /// The root that counts.
    ///
    /// An item that held it before is read first. Where that one is behind what was seen here, another process may have
    /// written to a second item of the same text.
    private func root(_ line: LockLine?, _ seen: AnchorText?) throws(StoreError) -> FoundRoot {
        let known = try known()
        let marks = [line?.mark, seen?.tag].compactMap(\.self)
        let found = try items.root(known, marks: marks)
        guard known != nil, let line, found.root.position < line.position else { return found }
        return try items.root(marks: marks)
    }

    /// Finishes what an interrupted commit left, or what may have been one: the lock file does not say.
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
            // A copy blocks nothing.
            transaction.isTidy = false
        }
    }

    /// The anchor; one that cannot be read says nothing.
    private func readAnchor() throws(StoreError) -> AnchorText? {
        do throws(StoreError) {
            return try anchor.read()
        } catch {
            guard error != .busy else { throw error }
            return nil
        }
    }

    /// Whether only the anchor tells that something was lost: the service may lose what it acknowledged.
    var needsAnchor: Bool {
        get throws(StoreError) { try !items.service.isDurable() }
    }

    /// Holds the anchor; an unreadable one is reported when it is raised, and stops nothing unless it is
    /// needed.
    func holdAnchor(isNeeded: Bool) throws(StoreError) -> HeldAnchor? {
        do throws(StoreError) {
            return isNeeded ? try anchor.holdOrMake() : try anchor.hold()
        } catch {
            guard error != .busy else { throw error }
            guard isNeeded else { return nil }
            throw .anchorNotWritten(path: anchor.path, isMade: false)
        }
    }

    /// Raises the anchor to the present root.
    ///
    /// - Parameters:
    ///   - root: The new root.
    ///   - held: The anchor, if it is held.
    ///   - isNeeded: It is on the disk before any number of the change leaves, or the act fails; else a
    ///     failure is noted, because the change has happened.
    /// - Throws: `busy` and `anchorNotWritten`, only where `isNeeded`.
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

    /// Says in the lock file that all is well; where that fails, it goes on saying `dirty`, which does no harm.
    func settle(_ found: FoundRoot, _ held: HeldLock) {
        try? held.write(found.root.line)
        remember(found)
    }
}

extension Root {
    /// The lock file while all is well.
    var line: LockLine {
        LockLine(vaultID: vaultID, position: position, floor: floor, mark: mark, isClean: true)
    }

    /// Whether the vault is at a later place in its history than the anchor tells.
    func isBeyond(_ seen: AnchorText?) -> Bool { seen.map { $0.position < position } ?? true }

    /// Compares the vault with the newest places in its history that were seen on this machine.
    ///
    /// - Parameters:
    ///   - seen: The anchor.
    ///   - line: The lock file, which says at least where the vault was before the last commit.
    /// - Throws: `rollback` when the vault is older, `fork` when it is as old but another.
    func judge(_ seen: AnchorText?, _ line: LockLine?) throws(StoreError) {
        try seen?.check(position, tag: mark)
        guard let line else { return }
        try AnchorText(vaultID: vaultID, position: line.position, tag: line.mark).check(position, tag: mark)
    }
}

/// The right to change a vault while it lasts: lock and anchor are held, and nothing interrupted is left.
final class WriteTransaction {
    let held: HeldLock
    let anchor: HeldAnchor?
    /// Whether a change that the anchor does not tell of must not be built on: the service may lose it.
    let needsAnchor: Bool
    /// The root; commits bring it forward.
    var found: FoundRoot
    /// Whether an earlier change left nothing to clean up.
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
