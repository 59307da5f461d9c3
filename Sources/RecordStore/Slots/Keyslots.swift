package import VaultCrypto

/// The rules of the key slots of one vault: rows in, rows or a vault key out (Schemas/vault-file.md section 2).
package struct Keyslots: Equatable, Sendable {
    /// Most slots of a vault, which limits the work that a hostile file can cause.
    package static let maximum = 16
    /// Most slots of one kind.
    package static let maximumOfAKind = 4

    /// The slots, ascending by number.
    package let rows: [SlotRow]

    /// Stored slots.
    ///
    /// - Throws: `tampered(.slots)` if they are more than allowed, or out of order.
    package init(_ rows: [SlotRow]) throws(StoreError) {
        guard Self.fits(rows), zip(rows, rows.dropFirst()).allSatisfy({ $0.number < $1.number }),
            rows.first.map({ $0.number > 0 }) ?? true
        else { throw .tampered(.slots) }
        self.rows = rows
    }

    /// The digest in the head: H(subkey 6, L(slots) ‖ every field of every slot, 32).
    package func digest(_ keys: VaultKeys) throws(StoreError) -> [UInt8] {
        var message = VaultLabel.slots.bytes
        for row in rows {
            message.append(bigEndian: row.number)
            message.append(bigEndian: row.kind.rawValue)
            message.append(long: row.params)
            message += row.proof
            message.append(long: row.sealed)
            message.append(long: row.note)
        }
        do { return try KeyedHash.blake2b(message, key: keys.slot, count: 32) } catch {
            throw StoreError(error)
        }
    }

    /// The vault key, from the first slot that the secret opens.
    ///
    /// - Throws: `noSuchSlot` if no slot has this kind, `wrongSecret` if the secret opens no slot, `kdfOutOfBounds`
    ///   before any work, `tampered(.slots)` if the secret fits a slot that fails authentication.
    package func unwrap(
        _ unlock: Unlock,
        vaultID: [UInt8],
        epoch: UInt32
    ) throws(StoreError) -> OpenedSlot {
        let candidates = unlock.kinds.flatMap { kind in rows.filter { $0.kind == kind } }
        guard !candidates.isEmpty else { throw .noSuchSlot }
        do { try unlock.check() } catch { throw .wrongSecret }
        for row in candidates {
            guard let params = try SlotParams(row) else { continue }
            let stretched = try params.stretch(unlock.secret, vaultID: vaultID)
            guard ConstantTime.equal(try Self.proof(stretched), row.proof) else { continue }
            if let carried = params.carried {
                let wrap = CarriedWrap(vaultID: vaultID, epoch: epoch)
                let vaultKey = try wrap.open(row, carried, stretched)
                return OpenedSlot(number: row.number, isCarried: true, vaultKey: vaultKey)
            }
            let key = try Self.wrappingKey(stretched)
            let data = row.sealedData(vaultID: vaultID, epoch: epoch)
            guard let vaultKey = try Envelope.open(row.sealed, key: key, authenticating: data),
                vaultKey.count == VaultKeys.vaultKeySize
            else { throw .tampered(.slots) }
            return OpenedSlot(number: row.number, isCarried: false, vaultKey: vaultKey)
        }
        throw .wrongSecret
    }

    /// Public information about each slot.
    package func list(_ keys: VaultKeys) throws(StoreError) -> [SlotInfo] {
        var list: [SlotInfo] = []
        for row in rows {
            let note = try SlotNote(row, keys)
            var parameters: PasswordHash.Parameters?
            var device: SlotDevice?
            switch try SlotParams(row) {
            case .passphrase(let found, _): parameters = found
            case .device(_, let found): device = found
            default: break
            }
            list.append(
                SlotInfo(
                    number: row.number,
                    kind: row.kind,
                    label: note.label,
                    created: note.created,
                    parameters: parameters,
                    device: device
                )
            )
        }
        return list
    }

    /// The slots and one more, which gets the next free number.
    ///
    /// - Throws: `slotLimit` if the slots would be too many.
    package func adding(_ row: SlotRow) throws(StoreError) -> Keyslots {
        guard Self.fits(rows + [row]) else { throw .slotLimit }
        return try Keyslots((rows + [row]).sorted { $0.number < $1.number })
    }

    /// The slots without the slot of this number.
    ///
    /// - Throws: `noSuchSlot`; `lastSlot` if no portable slot would remain.
    package func removing(_ number: UInt32) throws(StoreError) -> Keyslots {
        guard rows.contains(where: { $0.number == number }) else { throw .noSuchSlot }
        let rest = rows.filter { $0.number != number }
        guard rest.contains(where: { $0.kind.isPortable }) else { throw .lastSlot }
        return try Keyslots(rest)
    }

    /// The slots with one replaced by another in one step, so that the number of slots never falls.
    ///
    /// - Throws: `noSuchSlot`; `slotLimit`; `lastSlot` if no portable slot would remain.
    package func replacing(_ number: UInt32, with row: SlotRow) throws(StoreError) -> Keyslots {
        guard rows.contains(where: { $0.number == number }) else { throw .noSuchSlot }
        let rest = rows.filter { $0.number != number } + [row]
        guard rest.contains(where: { $0.kind.isPortable }) else { throw .lastSlot }
        guard Self.fits(rest) else { throw .slotLimit }
        return try Keyslots(rest.sorted { $0.number < $1.number })
    }

    /// The number for the next new slot.
    package var nextNumber: UInt32 { (rows.last?.number ?? 0) &+ 1 }

    private static func fits(_ rows: [SlotRow]) -> Bool {
        rows.count <= maximum
            && rows.allSatisfy { row in rows.count { $0.kind == row.kind } <= maximumOfAKind }
    }
}

/// A slot that a secret has opened, with the vault key from it.
package struct OpenedSlot: ~Copyable, Sendable {
    /// The slot's number.
    package let number: UInt32
    /// Whether a person who had the previous vault key could have made the slot without its secret.
    package let isCarried: Bool
    /// The vault key: 32 bytes, wiped with this value.
    package let vaultKey: SecretBytes
}
