internal import LocalState
internal import RecordStore
internal import VaultCrypto

extension SecretServiceStore {
    /// Takes the lock with other readers, and finds what is to be known; carries out first what was interrupted.
    func beginReading() throws(StoreError) -> (HeldLock, KeyringView) {
        // Others may begin and break off a change between two tries; not for ever.
        for _ in 0..<3 {
            if let begun = try beginReadingSettled() { return begun }
            // The lock was given back on the way.
            try repair()
        }
        throw .busy
    }

    /// Takes the lock with other readers; nil when something was interrupted.
    private func beginReadingSettled() throws(StoreError) -> (HeldLock, KeyringView)? {
        let held = try lockFile.shared()
        let known = try known(under: held)
        if isReadOnly {
            if let known { return (held, KeyringView(known: known)) }
            return (held, try unfinished())
        }
        // A higher anchor: somebody commits under another lock file, or the vault moved away.
        guard let known, try !isBehind(known.line.position) else { return nil }
        return (held, KeyringView(known: known))
    }

    /// Whether the anchor knows of a later place; one that cannot be read says nothing.
    private func isBehind(_ position: Position) throws(StoreError) -> Bool {
        do throws(StoreError) {
            return try anchor.read().map { position < $0.position } ?? false
        } catch {
            guard error != .busy else { throw error }
            return false
        }
    }

    /// Carries out what was interrupted, under a lock of its own.
    private func repair() throws(StoreError) {
        remember(try beginWriting().known)
    }

    /// Takes the lock alone, compares the anchor, and leaves nothing interrupted behind.
    ///
    /// - Throws: `rollback` and `fork` when another copy of the vault went ahead, or it was moved away.
    func beginWriting(acceptsRollback: Bool = false) throws(StoreError) -> WriteTurn {
        let held = try lockFile.exclusive()
        let anchor = try holdAnchor()
        let seen = anchor?.seen
        let present = try known(under: held)
        if let present, seen.map({ $0.position <= present.line.position }) ?? true {
            if let seen, !acceptsRollback { try present.header.judge(seen, at: present.generation) }
            return WriteTurn(held: held, anchor: anchor, known: present)
        }
        // Interrupted, a new login, or somebody commits under another lock file: the numbers are not known.
        let (path, header) = try shelf.header()
        if let seen, !acceptsRollback { try header.judge(seen, at: present?.generation ?? header.ceiling) }
        if !acceptsRollback { try checkLastWrite(header) }
        let known = try recover(held, path, header, acceptsRollback: acceptsRollback)
        return WriteTurn(held: held, anchor: anchor, known: known)
    }

    /// What is known while the lock file says that all is well; nil when it does not, or does not fit the header.
    private func known(under held: HeldLock) throws(StoreError) -> Known? {
        guard let line = held.line, line.isClean else { return nil }
        // A service that may forget is asked each time how far the vault is.
        if let known = try remembered(line), try shelf.service.isDurable() { return known }
        let (path, header) = try shelf.header()
        let known = Known(line: line, header: header, headerPath: path)
        guard known.isCoherent else { return nil }
        try checkLastWrite(header)
        remember(known)
        return known
    }

    /// What a store that writes nothing sees of a vault whose lock file says nothing: the ceiling as generation,
    /// and what waits to be carried out.
    private func unfinished() throws(StoreError) -> KeyringView {
        let (path, header) = try shelf.header()
        try checkLastWrite(header)
        let redo = try shelf.redo()?.redo
        if let redo, redo.generation > header.ceiling { throw .tampered(.head) }
        return KeyringView(known: Self.known(path, header), redo: redo)
    }

    /// Finishes what a redo holds, and removes what was never finished or was replaced.
    ///
    /// Until it is through, the lock file says `dirty`.
    private func recover(
        _ held: HeldLock,
        _ path: ItemPath,
        _ header: KeyringHeader,
        acceptsRollback: Bool
    ) throws(StoreError) -> Known {
        let known = Self.known(path, header)
        try held.write(known.line.dirty)
        let redo = try interrupted(header, acceptsRollback: acceptsRollback)
        // Whoever takes the vault as it is also takes records of a later time than the header.
        let bounds = acceptsRollback ? KeyringHeader.unbounded(vaultID) : header
        let shelved = try shelf.records(nil, bounds)
        if let (path, redo) = redo {
            try shelf.apply(redo, to: shelved)
            try shelf.service.setSecret(Shelf.secret(Redo.idle), of: path)
        }
        try shelf.tidy(redo == nil ? shelved : shelf.records(nil, bounds))
        try held.write(known.line)
        remember(known)
        return known
    }

    /// The change set that waits to be carried out, and its item.
    private func interrupted(
        _ header: KeyringHeader,
        acceptsRollback: Bool
    ) throws(StoreError) -> (ItemPath, Redo)? {
        do throws(StoreError) {
            guard let (path, redo) = try shelf.redo(), let redo else { return nil }
            guard redo.generation <= header.ceiling else { throw StoreError.tampered(.head) }
            return (path, redo)
        } catch {
            // Whoever takes the vault as it is also takes it without a change set that nobody can read.
            guard acceptsRollback, error == .tampered(.head) else { throw error }
            return nil
        }
    }

    private static func known(_ path: ItemPath, _ header: KeyringHeader) -> Known {
        Known(line: header.line(at: header.ceiling), header: header, headerPath: path)
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
            let isSynced = try !shelf.service.isDurable()
            if let held = turn.anchor {
                try held.raise(to: turn.known.anchor, isSynced: isSynced)
            } else {
                try anchor.raise(to: turn.known.anchor, isSynced: isSynced)
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
    func settle(_ known: Known, _ held: HeldLock) {
        do throws(StoreError) {
            try held.write(known.line)
            remember(known)
        } catch {}
    }
}
