package import RecordStore
package import VaultCrypto

/// The key of the backups of a vault in the keyring, which has no key of its own (Schemas/keyring-vault.md section 11).
///
/// The key is a record of the vault. The first backup makes it, with key slots; each later backup needs no secret and
/// has the same slots.
package struct CopyKey: Sendable {
    private static let version: UInt8 = 1
    /// The size of the proof that a secret is right, in bytes.
    private static let proofSize = 32

    /// The key epoch to which the slots are bound; under any other epoch they open nothing.
    package let epoch: UInt32
    let keys: VaultKeys
    let slots: Keyslots
    private let vaultKey: Secret

    /// A new key, wrapped for each slot.
    ///
    /// - Parameters:
    ///   - slots: At least one slot of a portable kind.
    ///   - vaultID: The vault whose backups the key opens.
    ///   - epoch: The key epoch of that vault.
    ///   - entropy: The source of the key, salts and nonces.
    ///   - time: When the slots are made, in milliseconds of Unix time.
    /// - Returns: The key, which is not stored yet.
    /// - Throws: `lastSlot`, `slotLimit`; `outOfMemory`.
    package static func make(
        _ slots: [NewSlot],
        for vaultID: [UInt8],
        epoch: UInt32,
        entropy: Entropy,
        at time: UInt64
    ) throws(StoreError) -> CopyKey {
        let vaultKey: SecretBytes
        do { vaultKey = try entropy.secret(VaultKeys.vaultKeySize) } catch { throw StoreError(error) }
        let keys = try VaultKeys(vaultKey: vaultKey)
        let rows = try FileStore.make(
            slots,
            vaultKey: vaultKey,
            keys: keys,
            vaultID: vaultID,
            epoch: epoch,
            time: time,
            entropy: entropy
        )
        return CopyKey(epoch: epoch, keys: keys, slots: rows, vaultKey: Secret(vaultKey))
    }

    init(epoch: UInt32, keys: VaultKeys, slots: Keyslots, vaultKey: Secret) {
        self.epoch = epoch
        self.keys = keys
        self.slots = slots
        self.vaultKey = vaultKey
    }

    /// The key of an opened backup, for a copy of the vault that the backup is about to replace.
    init(_ vaultKey: consuming SecretBytes, _ slots: Keyslots, epoch: UInt32) throws(StoreError) {
        let keys = try VaultKeys(vaultKey: vaultKey)
        self.init(epoch: epoch, keys: keys, slots: slots, vaultKey: Secret(vaultKey))
    }

    /// Public information about the slots.
    package func list() throws(StoreError) -> [SlotInfo] { try slots.list(keys) }

    /// The body of the key's record: u8 1 ‖ key 32 ‖ u32 epoch ‖ u8 count ‖ rows as in the digest of the slots.
    package func body() throws(StoreError) -> Secret {
        var rows: [UInt8] = []
        rows.append(bigEndian: epoch)
        rows.append(UInt8(truncatingIfNeeded: slots.rows.count))
        for row in slots.rows {
            rows.append(bigEndian: row.number)
            rows.append(bigEndian: row.kind.rawValue)
            rows.append(long: row.params)
            rows += row.proof
            rows.append(long: row.sealed)
            rows.append(long: row.note)
        }
        do { return Secret(try SecretBytes.joined([[Self.version], vaultKey, rows])) } catch {
            throw StoreError(error)
        }
    }

    /// Reads the body of a record; nil for another form, which a newer program may write.
    ///
    /// - Throws: `tampered(.slots)` for rows that cannot be in a vault; `outOfMemory`.
    package init?(_ body: Secret) throws(StoreError) {
        let read = try body.withBytes { bytes throws(StoreError) in try Self.read(bytes) }
        guard let read else { return nil }
        self = read
    }

    private static func read(_ bytes: RawSpan) throws(StoreError) -> CopyKey? {
        var reader = SpanReader(0..<bytes.byteCount)
        guard reader.number(UInt8.self, of: bytes) == version, let key = reader.take(VaultKeys.vaultKeySize),
            let epoch = reader.number(UInt32.self, of: bytes), epoch > 0,
            let count = reader.number(UInt8.self, of: bytes)
        else { return nil }
        var rows: [SlotRow] = []
        for _ in 0..<count {
            guard let row = slot(bytes, &reader) else { return nil }
            rows.append(row)
        }
        guard reader.isAtEnd else { return nil }
        let vaultKey: SecretBytes
        do { vaultKey = try SecretBytes(copying: bytes.extracting(key)) } catch { throw StoreError(error) }
        return try CopyKey(vaultKey, Keyslots(rows), epoch: epoch)
    }

    private static func slot(_ bytes: RawSpan, _ reader: inout SpanReader) -> SlotRow? {
        guard let number = reader.number(UInt32.self, of: bytes),
            let kind = reader.number(UInt32.self, of: bytes), let params = long(bytes, &reader),
            let proof = reader.take(Self.proofSize), let sealed = long(bytes, &reader),
            let note = long(bytes, &reader)
        else { return nil }
        return SlotRow(
            number: number,
            kind: SlotKind(rawValue: kind),
            params: params,
            proof: SpanReader.copy(proof, of: bytes),
            sealed: sealed,
            note: note
        )
    }

    private static func long(_ bytes: RawSpan, _ reader: inout SpanReader) -> [UInt8]? {
        reader.number(UInt32.self, of: bytes).flatMap { reader.take(Int($0)) }
            .map { SpanReader.copy($0, of: bytes) }
    }
}
