internal import RecordStore
internal import VaultCrypto
internal import VaultLifecycle

/// A typed secret of one kind alone: `--with passphrase`, `--with recovery`.
struct KindSecret: SecretSource {
    /// Gives the secret; nil without a way to ask, which does not let another key slot open the vault.
    let source: (any SecretSource)?
    let kind: SlotKind

    var isNamed: Bool { source?.isNamed ?? true }
    var isAsked: Bool { source?.isAsked ?? false }
    var isAlone: Bool { true }
    var option: String? { source?.option ?? "--with" }

    func secret(attempt: Int) throws(OpeningError) -> SecretBytes {
        guard let source else { throw .store(.locked) }
        return try source.secret(attempt: attempt)
    }

    func unlock(attempt: Int) throws(OpeningError) -> Unlock {
        guard let source else { throw .store(.locked) }
        let unlock = try source.unlock(attempt: attempt)
        guard unlock.kind == kind else { throw .store(kind == .recovery ? .mistyped : .wrongSecret) }
        return unlock
    }

    func tell(slip: StoreError) { source?.tell(slip: slip) }
}
