internal import RecordStore
internal import VaultCrypto

extension SecretServiceStore {
    /// Makes a single change; says whether nothing is left to be done after it.
    ///
    /// - Throws: What the service answered, when nothing has changed; `commitUnknown` when that cannot be told.
    func carryOut(_ redo: Redo, over holding: Holding?) throws(StoreError) -> Bool {
        var isDecided = false
        do throws(StoreError) {
            switch redo.steps[0] {
            case .put(let info, let body):
                try shelf.place(info, body, over: holding) { isDecided = true }
            case .delete:
                if let holding { try shelf.remove(holding) { isDecided = true } }
            }
            return true
        } catch {
            // The service said itself that it did nothing; it is unlocked and asked again.
            if error == .keyringLocked, !isDecided { throw error }
            if try hasHappened(redo) { return false }
            if isDecided { throw .commitUnknown }
            // Somebody who knows no locks removed the item in between.
            throw error == .notFound ? .conflict : error
        }
    }

    /// Makes several changes: writes them down first, from when on they have happened.
    func carryOutAll(_ redo: Redo, over holdings: [RecordID: Holding]) throws(StoreError) -> Bool {
        let path = try writeDown(redo)
        var isTidy = true
        do throws(StoreError) {
            for step in redo.steps { try shelf.apply(step, of: redo, over: holdings[step.id]) }
        } catch {
            try carryOutAgain(redo)
            isTidy = false
        }
        do throws(StoreError) {
            try shelf.service.setSecret(Shelf.secret(Redo.idle), of: path)
            return isTidy
        } catch {
            // Whoever comes next finds everything done, and only this left.
            return false
        }
    }

    /// Puts a change set where it survives whatever happens.
    private func writeDown(_ redo: Redo) throws(StoreError) -> ItemPath {
        let text = try redo.text()
        // One under another lock file may have broken off: what it has promised comes first.
        let present = try shelf.redo()
        guard present?.redo == nil else { throw .busy }
        let path: ItemPath
        if let present { path = present.path } else { path = try shelf.makeRedo(named: nil) }
        var isDecided = false
        do throws(StoreError) {
            try shelf.service.setSecret(text, of: path)
            isDecided = true
            try shelf.confirm(text, at: path)
        } catch {
            if error == .keyringLocked, !isDecided { throw error }
            guard let isWritten = try? shelf.holds(text, at: path) else { throw StoreError.commitUnknown }
            if !isWritten { throw isDecided ? StoreError.commitUnknown : error }
        }
        return path
    }

    /// Carries out a change set that is written down, whatever was done of it before.
    private func carryOutAgain(_ redo: Redo) throws(StoreError) {
        do throws(StoreError) {
            for step in redo.steps {
                let holding = try shelf.records(step.id, KeyringHeader.unbounded(vaultID), withBody: false)
                try shelf.apply(step, of: redo, over: holding)
            }
        } catch {
            throw .commitUnknown
        }
    }

    /// Whether a single change is there, after a call that failed.
    ///
    /// The service works off its calls in the order in which they come, so a call that it did not answer in
    /// time is done by the time it answers this one.
    private func hasHappened(_ redo: Redo) throws(StoreError) -> Bool {
        do throws(StoreError) {
            let step = redo.steps[0]
            let found = try shelf.records(step.id, KeyringHeader.unbounded(vaultID), withBody: true)?.current
            switch step {
            case .delete: return found == nil
            case .put(let info, let body):
                guard let found, found.form != .foreign, found.info.revision == info.revision,
                    found.info.uid == info.uid, let present = found.body
                else { return false }
                return ConstantTime.equal(present, body)
            }
        } catch {
            throw .commitUnknown
        }
    }
}
