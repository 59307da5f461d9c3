package import Presentation
internal import RecordStore
internal import SecretServiceStore
package import VaultLifecycle

/// A Secret Service answers, and the vault that was recorded in it is not there.
package struct GoneCheck {
    let record: VaultRecord
    let context: CheckContext

    package init(_ record: VaultRecord, _ context: CheckContext) {
        (self.record, self.context) = (record, context)
    }

    /// What is left of it, and whether it may be forgotten.
    ///
    /// That is offered only where the keyring that it was made in is there, and open: another program may answer
    /// in its place, or another login.
    package func finding(_ failure: Failure) -> Finding {
        var reason = "hsip makes no other vault while this vault may come back"
        guard case .keyring(let path, _) = record.storage, let service = try? context.connect(),
            let collection = try? service.collections().first(where: { $0.path == path }),
            !collection.isLocked, let left = try? KeyringVault.remains(of: record.id, in: service)
        else {
            return .problem(
                .keyring,
                failure,
                reason: reason + "; its keyring does not exist here or is locked"
            )
        }
        if left > 0 {
            reason = "the vault's first item is gone, but its other items are still in the keyring: \(left)"
        }
        if record.knowsOfCopies { reason += "; hsip does not forget the vault while copies of it may exist" }
        return .problem(
            .keyring,
            failure,
            reason: reason,
            fix: RecordCheck.forget(
                record,
                context.place,
                context.config,
                question: "Forget the vault that is no longer in the keyring"
            )
        )
    }
}
