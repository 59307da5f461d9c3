internal import LocalState
public import RecordStore
internal import VaultCrypto

extension SecretServiceStore {
    /// What can be said of the vault at a glance.
    public func status() throws(StoreError) -> KeyringStatus {
        let (position, floor, records) = try read { reader throws(StoreError) in
            (reader.generation, reader.floor, try reader.survey(nil).records.count)
        }
        return KeyringStatus(
            collection: collection,
            position: Position(epoch: try epoch(), generation: position),
            records: UInt64(records),
            floor: floor,
            isReadOnly: isReadOnly,
            events: noted
        )
    }

    /// Reads every record with its secret, and counts what is not as it should be.
    ///
    /// - Throws: `tampered` for an item that does not agree with itself; `newerRecord` for a form of later times.
    public func verify() throws(StoreError) -> KeyringReport {
        try reading { known throws(StoreError) in
            let shelved = try everything(known)
            try shelved.check(nil)
            return try report(shelved, known)
        }
    }

    /// The same, and which records are damaged.
    public func inspect() throws(StoreError) -> KeyringReport {
        try reading { known throws(StoreError) in try report(everything(known), known) }
    }

    /// Every item, with all that it says, so that a record under another's name is found.
    private func everything(_ known: Known) throws(StoreError) -> Shelved {
        try shelf.stillHolds(known)
        return try shelf.read(
            shelf.paths(shelf.codec.query(nil as RecordKind?)),
            describing: true,
            known.header,
            withBody: true
        )
    }

    /// Items of the vault that are none of its header, of its redo or of its records.
    private func strays(_ shelved: Shelved, _ known: Known) throws(StoreError) -> [ItemPath] {
        let headers = try shelf.paths(shelf.codec.query(ItemNames.headerSchema))
        let redo = try shelf.redo()?.path
        let redos = try shelf.paths(shelf.codec.query(ItemNames.redoSchema))
        return shelved.strays + headers.filter { $0 != known.headerPath } + redos.filter { $0 != redo }
    }

    private func report(_ shelved: Shelved, _ known: Known) throws(StoreError) -> KeyringReport {
        let foreign = shelved.holdings.values.count { holding in
            holding.current.form == .foreign || holding.others.contains { $0.form == .foreign }
        }
        return KeyringReport(
            records: shelved.holdings.count,
            foreign: foreign,
            damaged: shelved.damaged.map(\.record),
            strays: try shelf.service.facts(of: strays(shelved, known)).map(\.label),
            generation: known.generation
        )
    }

    /// Takes what the vault cannot read out of it: the items stay in the keyring as they are, under another schema.
    ///
    /// - Returns: how many there were.
    @discardableResult
    package func setAside() throws(StoreError) -> Int {
        guard !isReadOnly else { throw .readOnly }
        return try unlocking { () throws(StoreError) in
            let turn = try beginWriting()
            defer { withExtendedLifetime(turn) {} }
            let shelved = try everything(turn.known)
            let paths = shelved.damaged.filter { !$0.isNewer }.map(\.path) + (try strays(shelved, turn.known))
            for facts in try shelf.service.facts(of: paths) {
                var attributes = facts.attributes
                attributes[ItemNames.schema] = ItemNames.asideSchema
                attributes[ItemNames.aside] = attributes.removeValue(forKey: ItemNames.vault)
                try shelf.service.describe(facts.path, label: facts.label, attributes: attributes)
            }
            return paths.count
        }
    }

    private func epoch() throws(StoreError) -> UInt32 {
        try reading { $0.header.epoch }
    }

    /// Takes an old copy as the vault from now on: every record predates a restore (floor and generation rise).
    ///
    /// The new generation is above everything that the header, a record or the anchor has seen.
    public func acceptRollback() throws(StoreError) {
        guard !isReadOnly else { throw .readOnly }
        try unlocking { () throws(StoreError) in try raiseFloor(beginWriting(acceptsRollback: true)) }
    }

    /// Lets every record predate a restore, after carrying out what was interrupted.
    ///
    /// For a vault that this machine has no memory of: it may be a copy of one that goes on elsewhere.
    func countAsRestored() throws(StoreError) {
        try unlocking { () throws(StoreError) in try raiseFloor(beginWriting()) }
    }

    private func raiseFloor(_ turn: WriteTurn) throws(StoreError) {
        let old = turn.known.header
        let shelved = try shelf.records(nil, KeyringHeader.unbounded(vaultID))
        let seen = turn.anchor?.seen?.position
        let newest = max(
            shelved.holdings.values.map(\.current.info.revision).max() ?? 0,
            max(turn.known.generation, seen?.generation ?? 0)
        )
        let (generation, isTooHigh) = newest.addingReportingOverflow(1)
        guard !isTooHigh else { throw .tampered(.head) }
        let header = try KeyringHeader(
            vaultID: vaultID,
            epoch: max(old.epoch, seen?.epoch ?? 0),
            ceiling: old.ceiling,
            floor: generation,
            mark: entropy.bytes(16)
        ).bounded(at: generation, shelf.service)
        try turn.held.write(turn.known.line.dirty)
        // A change set that nobody can read goes with the past.
        for path in try shelf.paths(shelf.codec.query(ItemNames.redoSchema)) {
            try shelf.service.setSecret(Shelf.secret(Redo.idle), of: path)
        }
        try shelf.replace(header, at: turn.known.headerPath)
        turn.known.header = header
        turn.known.line = turn.known.line(at: generation)
        raiseAnchor(turn)
        noting { () throws(StoreError) in try lastWrite.write(nil) }
        settle(turn.known, turn.held)
    }
}
