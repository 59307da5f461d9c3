internal import RecordStore
internal import VaultCrypto

extension Shelf {
    /// The item of the redo, and what it says is to be done.
    ///
    /// - Throws: `tampered(.head)` when it is malformed, or not one alone; what nobody can read beside one that is whole
    ///   is another program's.
    func redo() throws(StoreError) -> (path: ItemPath, redo: Redo?)? {
        var found: [(path: ItemPath, redo: Redo?)] = []
        var isOdd = false
        try eachSecret(of: paths(codec.query(ItemNames.redoSchema))) { path, secret throws(StoreError) in
            do throws(StoreError) {
                found.append((path, try Redo.read(secret)))
            } catch {
                guard error == .tampered(.head) else { throw error }
                isOdd = true
            }
        }
        guard found.count < 2, !found.isEmpty || !isOdd else { throw .tampered(.head) }
        return found.first
    }

    /// Makes the item of the redo, with nothing to be done.
    func makeRedo(named name: String?) throws(StoreError) -> ItemPath {
        try service.create(
            ItemDraft(
                label: name.map { "HSIP vault \($0), change under way" } ?? "HSIP vault, change under way",
                attributes: codec.query(ItemNames.redoSchema),
                secret: Self.secret(Redo.idle)
            ),
            in: collection
        )
    }

    /// Carries out what a redo says; what was carried out before is left alone, so doing it twice does no harm.
    ///
    /// - Parameter shelved: Every record of the vault, read under the same lock.
    func apply(_ redo: Redo, to shelved: Shelved) throws(StoreError) {
        for step in redo.steps { try apply(step, of: redo, over: shelved.holdings[step.id]) }
    }

    /// Carries out what a redo says about one record.
    func apply(_ step: Redo.Step, of redo: Redo, over holding: Holding?) throws(StoreError) {
        if let holding, holding.current.info.revision >= redo.generation { return }
        switch step {
        case .put(let info, let body): try place(info, body, over: holding)
        case .delete: if let holding { try remove(holding) }
        }
    }
}
