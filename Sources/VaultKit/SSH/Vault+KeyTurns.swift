internal import RecordStore

extension Vault {
    /// Reads the keys, acts and commits as one; starts again when another process was faster.
    func onKeys<R>(_ act: (inout KeyTurn) throws(VaultError) -> R) throws(VaultError) -> R {
        let deadline = ContinuousClock.now + Self.patience
        while true {
            let (result, changes) = try turn(act)
            guard let changes else { return result }
            do throws(StoreError) {
                try store.commit(changes)
                return result
            } catch {
                guard error == .conflict else { throw .store(error) }
                guard ContinuousClock.now < deadline else { throw .store(.busy) }
            }
        }
    }

    /// One act on one snapshot.
    private func turn<R>(
        _ act: (inout KeyTurn) throws(VaultError) -> R
    ) throws(VaultError) -> (R, ChangeSet?) {
        let (now, entropy) = (now(), entropy)
        let outcome: Result<(R, ChangeSet?), VaultError>
        do throws(StoreError) {
            outcome = try store.read { (reader) throws(StoreError) in
                do throws(VaultError) {
                    var turn = try KeyTurn(reader, now: now, entropy: entropy)
                    let result = try act(&turn)
                    return .success((result, turn.changes()))
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
}
