internal import LocalState
public import RecordStore
internal import VaultCrypto

extension SecretServiceStore {
    /// Makes all changes or none.
    ///
    /// - Throws: As the contract says; `readOnly`, `busy` after ten seconds, and what the service answered, when
    ///   nothing has changed. When that cannot be told, `commitUnknown`.
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
            let turn = try beginWriting()
            return try commit(changes, turn)
        }
    }

    private func commit(_ changes: ChangeSet, _ turn: WriteTurn) throws(StoreError) -> Revision {
        guard changes.floor == turn.known.header.floor else { throw .conflict }
        let holdings = try holdings(of: changes, turn.known.header)
        if holdings.isEmpty { try shelf.stillHolds(turn.known) }
        try checkLastWrite(among: holdings, turn.known.header)
        let (generation, isTooHigh) = turn.known.generation.addingReportingOverflow(1)
        guard !isTooHigh else { throw .tampered(.head) }
        let redo = try plan(changes, over: holdings, generation)
        guard !redo.steps.isEmpty else { return turn.known.generation }

        try turn.held.write(turn.known.line.dirty)
        if try !shelf.service.isDurable() {
            // The service may lose this commit after it was acknowledged. The header goes with it, and the anchor stays: so
            // the loss is noticed, and no number comes twice.
            try put(turn.known.header.exact(generation), turn)
        } else if generation > turn.known.header.ceiling {
            try put(turn.known.header.raised(to: generation, mark: entropy.bytes(16)), turn)
        }
        let isTidy =
            redo.steps.count == 1
            ? try carryOut(redo, over: holdings[redo.steps[0].id])
            : try carryOutAll(redo, over: holdings)
        turn.known.line = turn.known.line(at: generation)
        raiseAnchor(turn)
        rememberLastWrite(redo, over: holdings)
        // Where something is left to be done, the next one to come does it.
        if isTidy { settle(turn.known, turn.held) }
        return generation
    }

    /// The records that change, as they are.
    private func holdings(
        of changes: ChangeSet,
        _ header: KeyringHeader
    ) throws(StoreError) -> [RecordID: Holding] {
        var holdings: [RecordID: Holding] = [:]
        for change in changes.changes {
            holdings[change.id] = try shelf.records(change.id, header, withBody: false)
        }
        return holdings
    }

    /// Works out what is to be written.
    ///
    /// - Throws: `conflict`, `newerRecord`; nothing is written then.
    private func plan(
        _ changes: ChangeSet,
        over holdings: [RecordID: Holding],
        _ generation: UInt64
    ) throws(StoreError) -> Redo {
        var steps: [Redo.Step] = []
        for change in changes.changes {
            let old = holdings[change.id]?.current.info
            guard old?.isNewer != true else { throw .newerRecord }
            switch change {
            case .delete(let id, let expected):
                guard expected == nil || expected == old?.revision ?? 0 else { throw .conflict }
                if old != nil { steps.append(.delete(id)) }
            case .put(let draft, let expected):
                guard expected == old?.revision ?? 0 else { throw .conflict }
                steps.append(
                    .put(draft.written(over: old, revision: generation, at: now(), entropy), draft.body)
                )
            }
        }
        return Redo(generation: generation, steps: steps)
    }

    /// Replaces the header, so that a commit may have its number.
    private func put(_ header: KeyringHeader, _ turn: WriteTurn) throws(StoreError) {
        try shelf.replace(header, at: turn.known.headerPath)
        turn.known.header = header
    }
}
