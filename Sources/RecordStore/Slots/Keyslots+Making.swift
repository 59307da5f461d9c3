package import VaultCrypto

extension Keyslots {
    /// Wraps a vault key under a new secret.
    ///
    /// Random bytes are drawn in this order: salt, unless hardware had it before; for a carried slot nonce of the carry
    /// and ephemeral secret; nonce of the wrapped key, nonce of the note.
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
        let params = try SlotParams(new, salt: new.salt ?? entropy.bytes(SlotParams.saltSize))
        let stretched = try params.stretch(new.unlock.secret, vaultID: vaultID)
        let bare = SlotRow(
            number: number,
            kind: new.kind,
            params: params.encoded,
            proof: try proof(stretched).withBytes { $0.copied() },
            sealed: [],
            note: []
        )
        let note = SlotNote(created: time, label: new.label)
        if let carried = params.carried {
            let wrap = CarriedWrap(vaultID: vaultID, epoch: epoch)
            let publicKey = try CarriedWrap.publicKey(of: stretched)
            return try carry(publicKey, bare, carried, note, vaultKey, keys, wrap, entropy)
        }
        let sealed = try Envelope.seal(
            vaultKey,
            key: Secret(try wrappingKey(stretched)),
            authenticating: bare.sealedData(vaultID: vaultID, epoch: epoch),
            entropy: entropy
        )
        return bare.sealing(sealed.opening + sealed.ciphertext, note: try note.seal(bare, keys, entropy))
    }

    /// Wraps the next vault key for a slot without the slot's secret.
    ///
    /// Number, salt and proof stay. Random bytes are drawn as in `make`, without the salt.
    ///
    /// - Returns: nil for a slot that cannot be carried over.
    /// - Throws: `tampered(.slots)` if the carry does not open under the old keys.
    package static func carry(
        _ row: SlotRow,
        from old: VaultKeys,
        to vaultKey: borrowing SecretBytes,
        _ keys: VaultKeys,
        vaultID: [UInt8],
        epoch: UInt32,
        entropy: Entropy
    ) throws(StoreError) -> SlotRow? {
        guard row.isCarried, let params = CarriedParams(row.params) else { return nil }
        let wrap = CarriedWrap(vaultID: vaultID, epoch: epoch)
        let publicKey = try wrap.publicKey(in: params, row, old)
        return try carry(publicKey, row, params, SlotNote(row, old), vaultKey, keys, wrap, entropy)
    }

    private static func carry(
        _ publicKey: borrowing SecretBytes,
        _ row: SlotRow,
        _ params: CarriedParams,
        _ note: SlotNote,
        _ vaultKey: borrowing SecretBytes,
        _ keys: VaultKeys,
        _ wrap: CarriedWrap,
        _ entropy: Entropy
    ) throws(StoreError) -> SlotRow {
        let carry = try wrap.carry(publicKey, row, keys, entropy)
        let row = SlotRow(
            number: row.number,
            kind: row.kind,
            params: params.carrying(carry).encoded,
            proof: row.proof,
            sealed: [],
            note: []
        )
        let sealed = try wrap.seal(vaultKey, to: publicKey, row, entropy)
        return row.sealing(sealed, note: try note.seal(row, keys, entropy))
    }

    /// kdf(S, 1, "HSIPSLOT"): the key that wraps the vault key.
    static func wrappingKey(_ stretched: borrowing SecretBytes) throws(StoreError) -> SecretBytes {
        try derive(1, stretched)
    }

    /// kdf(S, 2, "HSIPSLOT"): the proof.
    ///
    /// It distinguishes a right secret from a wrong one without opening a record, and commits the slot to one secret,
    /// which the cipher alone does not.
    package static func proof(_ stretched: borrowing SecretBytes) throws(StoreError) -> SecretBytes {
        try derive(2, stretched)
    }

    /// kdf(S, 3, "HSIPSLOT"): the secret half of the key to which a carried slot wraps the vault key.
    static func agreementKey(_ stretched: borrowing SecretBytes) throws(StoreError) -> SecretBytes {
        try derive(3, stretched)
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
