internal import LocalState
internal import RecordStore
internal import VaultCrypto

extension SecretServiceStore {
    /// Takes the lock with other readers, and finds the root.
    ///
    /// - Throws: `rollback` and `fork` when another copy of the vault went ahead, or it was moved away.
    func beginReading() throws(StoreError) -> (HeldLock, FoundRoot) {
        let held = try lockFile.shared()
        let found = try items.root(known())
        if !takesOldCopies { try found.root.judge(readAnchor(), held.line) }
        remember(found)
        return (held, found)
    }

    /// Takes the lock alone, compares the anchor, and leaves nothing interrupted behind.
    ///
    /// - Throws: As above.
    func beginWriting(acceptsRollback: Bool = false) throws(StoreError) -> WriteTurn {
        let held = try lockFile.exclusive()
        let anchor = try holdAnchor()
        let found = try items.root(known())
        if !acceptsRollback { try found.root.judge(anchor?.seen, held.line) }
        let turn = WriteTurn(held: held, anchor: anchor, found: found)
        remember(found)
        if held.line != found.root.line { try recover(turn) }
        return turn
    }

    /// Finishes what an interrupted commit left, or what may have been one: the lock file does not say.
    private func recover(_ turn: WriteTurn) throws(StoreError) {
        let root = turn.found.root
        try turn.held.write(root.line.dirty)
        let removed = try items.removeLeftovers(root)
        noteCleanedUp(removed)
        try items.removeFormat1(root)
        do throws(StoreError) {
            try copies.publish(root.pending, root)
            try turn.held.write(root.line)
        } catch {
            // A copy blocks nothing.
            turn.isTidy = false
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

    /// Holds the anchor; one that cannot be read is told when it is raised, and stops nobody.
    private func holdAnchor() throws(StoreError) -> HeldAnchor? {
        do throws(StoreError) {
            return try anchor.hold()
        } catch {
            guard error != .busy else { throw error }
            return nil
        }
    }

    /// Raises the anchor after a change; a failure is noted, because the change has happened.
    ///
    /// Of a service that may lose what it acknowledged, only the anchor tells: it is on the disk before any number
    /// of the change leaves.
    func raiseAnchor(_ turn: WriteTurn) {
        noting { () throws(StoreError) in
            let isSynced = try !items.service.isDurable()
            if let held = turn.anchor {
                try held.raise(to: turn.found.root.anchor, isSynced: isSynced)
            } else {
                try anchor.raise(to: turn.found.root.anchor, isSynced: isSynced)
            }
        }
    }

    /// Writes the anchor; a failure stops nothing.
    func noting(_ raise: () throws(StoreError) -> Void) {
        do throws(StoreError) {
            try raise()
        } catch {
            note(.anchorNotWritten(error))
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
