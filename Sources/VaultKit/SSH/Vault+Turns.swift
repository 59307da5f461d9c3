internal import RecordStore
internal import VaultCrypto

extension Vault {
    /// Reads, acts and commits as one; starts again when another process was faster.
    ///
    /// - Parameter isProved: whether to read back what was written and compare it.
    func on<Turn: RecordTurn, R>(
        _: Turn.Type,
        isProved: Bool = false,
        _ act: (inout Turn) throws(VaultError) -> R
    ) throws(VaultError) -> R {
        let deadline = ContinuousClock.now + Self.patience
        while true {
            let (result, changes) = try turn(act)
            guard let changes else { return result }
            do throws(StoreError) {
                let revision = try store.commit(changes)
                if isProved { try prove(changes, at: revision) }
                return result
            } catch {
                guard error == .conflict else { throw .store(error) }
                guard ContinuousClock.now < deadline else { throw .store(.busy) }
            }
        }
    }

    /// Reads the keys, acts and commits as one; starts again when another process was faster.
    func onKeys<R>(_ act: (inout KeyTurn) throws(VaultError) -> R) throws(VaultError) -> R {
        try on(KeyTurn.self, act)
    }

    /// One act on one snapshot.
    private func turn<Turn: RecordTurn, R>(
        _ act: (inout Turn) throws(VaultError) -> R
    ) throws(VaultError) -> (R, ChangeSet?) {
        let (now, entropy) = (now(), entropy)
        return try reading { (reader) throws(VaultError) in
            var turn = try Turn(reader, now: now, entropy: entropy)
            let result = try act(&turn)
            return (result, try turn.changes())
        }
    }

    /// One look at one snapshot.
    nonisolated func reading<R>(_ look: (any RecordReader) throws(VaultError) -> R) throws(VaultError) -> R {
        let outcome: Result<R, VaultError>
        do throws(StoreError) {
            outcome = try store.read { (reader) throws(StoreError) in
                do throws(VaultError) {
                    return .success(try look(reader))
                } catch {
                    // The store knows what to do about its own errors.
                    if case .store(let error) = error { throw error }
                    return .failure(error)
                }
            }
        } catch {
            throw .store(error)
        }
        return try outcome.get()
    }

    /// Opens what was written, and compares it; what another process has written over it since is its business.
    private func prove(_ changes: ChangeSet, at revision: Revision) throws(StoreError) {
        let isThere = try store.read { (reader) throws(StoreError) in
            for case .put(let draft, _) in changes.changes {
                let record = try reader.find(draft.id)
                guard let record else {
                    guard reader.generation > revision else { return false }
                    continue
                }
                guard record.info.revision <= revision else { continue }
                guard record.info.revision == revision, ConstantTime.equal(record.body, draft.body) else {
                    return false
                }
            }
            return true
        }
        // The sealed record is not the one that was sealed: nothing else can be said of it.
        guard isThere else { throw .corrupt }
    }
}
