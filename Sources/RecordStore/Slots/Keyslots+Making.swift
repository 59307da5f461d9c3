package import VaultCrypto

extension Keyslots {
    /// Wraps a vault key under a new secret.
    ///
    /// Takes randomness in this order: salt, nonce of the wrapped key, nonce of the note.
    package static func make(
        _ new: NewSlot,
        number: UInt32,
        vaultKey: borrowing SecretBytes,
        keys: VaultKeys,
        vaultID: [UInt8],
        epoch: UInt32,
        time: UInt64,
        entropy: Entropy
    ) throws(StoreError) -> SlotRow {
        try new.unlock.check()
        guard new.label.utf8.count <= RecordLimits.label else { throw .invalidRecord(.slot) }
        let salt = entropy.bytes(SlotParams.saltSize)
        let params: SlotParams =
            switch new.unlock {
            case .passphrase: .passphrase(new.parameters, salt: salt)
            case .recovery: .recovery(salt: salt)
            case .secretService: .secretService(salt: salt)
            }
        let stretched = try params.stretch(new.unlock.secret, vaultID: vaultID)
        let proof = try proof(stretched)
        let bare = SlotRow(
            number: number,
            kind: new.unlock.kind,
            params: params.encoded,
            proof: proof.withBytes { $0.copied() },
            sealed: [],
            note: []
        )
        let sealed = try Envelope.seal(
            vaultKey,
            key: Secret(try wrappingKey(stretched)),
            authenticating: bare.sealedData(vaultID: vaultID, epoch: epoch),
            entropy: entropy
        )
        let note = try SlotNote(created: time, label: new.label).seal(bare, keys, entropy)
        return SlotRow(
            number: number,
            kind: bare.kind,
            params: bare.params,
            proof: bare.proof,
            sealed: sealed.opening + sealed.ciphertext,
            note: note
        )
    }

    /// kdf(S, 1, "HSIPSLOT"): the key that wraps the vault key.
    static func wrappingKey(_ stretched: borrowing SecretBytes) throws(StoreError) -> SecretBytes {
        try derive(1, stretched)
    }

    /// kdf(S, 2, "HSIPSLOT"): tells a right secret from a wrong one without touching a record, and commits
    /// the slot to one secret, which the cipher alone does not.
    static func proof(_ stretched: borrowing SecretBytes) throws(StoreError) -> SecretBytes {
        try derive(2, stretched)
    }

    private static func derive(_ index: UInt64, _ key: borrowing SecretBytes) throws(StoreError)
        -> SecretBytes
    {
        do {
            return try KeyDerivation.subkey(index, context: "HSIPSLOT", of: key)
        } catch {
            throw StoreError(error)
        }
    }
}
