package import RecordStore
package import VaultCrypto

extension CopyKey {
    /// A typed secret, and the number of the slot that it opens.
    package struct Typed: Sendable {
        let number: UInt32
        let unlock: Unlock
    }

    /// Finds the slot that a secret opens.
    ///
    /// - Throws: `wrongSecret`, `noSuchSlot`; `kdfOutOfBounds`, `outOfMemory`.
    package func typed(_ unlock: Unlock, of vaultID: [UInt8]) throws(StoreError) -> Typed {
        Typed(number: try slots.unwrap(unlock, vaultID: vaultID, epoch: epoch).number, unlock: unlock)
    }

    /// Whether a slot stays when the key changes: every slot for a recovery code, and the typed passphrase's.
    package func stays(_ slot: SlotInfo, _ typed: Typed?) -> Bool {
        slot.number == typed?.number || slots.rows.contains { $0.number == slot.number && $0.isCarried }
    }

    /// The key of the next key epoch, with the slots that stay.
    ///
    /// - Parameters:
    ///   - vaultID: The vault whose backups the key opens.
    ///   - typed: The typed secret, whose slot is made again; nil for none.
    ///   - entropy: The source of the key, salts and nonces.
    /// - Returns: The key; nil if no portable slot stays, so that the next backup makes a new key.
    /// - Throws: `tampered(.slots)` for a slot that cannot be carried over; `outOfMemory`.
    package func next(
        of vaultID: [UInt8],
        _ typed: Typed?,
        entropy: Entropy
    ) throws(StoreError) -> CopyKey? {
        guard epoch < .max else { return nil }
        let vaultKey: SecretBytes
        do { vaultKey = try entropy.secret(VaultKeys.vaultKeySize) } catch { throw StoreError(error) }
        let next = try VaultKeys(vaultKey: vaultKey)
        let infos = try list()
        var rows = try Keyslots([])
        for row in slots.rows {
            let carried = try Keyslots.carry(
                row,
                from: keys,
                to: vaultKey,
                next,
                vaultID: vaultID,
                epoch: epoch + 1,
                entropy: entropy
            )
            if let carried {
                rows = try rows.adding(carried)
            } else if let typed, typed.number == row.number,
                let info = infos.first(where: { $0.number == row.number })
            {
                let made = try Keyslots.make(
                    NewSlot(
                        typed.unlock,
                        label: info.label,
                        parameters: info.parameters ?? PasswordHash.standard
                    ),
                    number: row.number,
                    vaultKey: vaultKey,
                    keys: next,
                    vaultID: vaultID,
                    epoch: epoch + 1,
                    time: info.created,
                    entropy: entropy
                )
                rows = try rows.adding(made)
            }
        }
        guard rows.rows.contains(where: { $0.kind.isPortable }) else { return nil }
        return CopyKey(epoch: epoch + 1, keys: next, slots: rows, vaultKey: Secret(vaultKey))
    }
}
