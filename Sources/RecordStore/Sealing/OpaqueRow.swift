internal import VaultCrypto

/// A row that was opened but not decoded, to be sealed again under a new vault key, byte for byte.
///
/// Only version, type, revision, kind and name of the meta are read, which every version keeps in place. So records of
/// a newer program are carried over.
struct OpaqueRow: ~Copyable {
    /// The revision with which the body is sealed.
    let revision: Revision
    /// L(id) ‖ s16 kind ‖ s16 name, whose hash is the id of the row.
    let name: SecretBytes
    /// The packed content of the meta.
    let meta: SecretBytes
    /// The packed secret.
    let body: SecretBytes

    /// A keyed hash of the parts that do not change with the vault key.
    func element(_ key: Secret) throws(StoreError) -> Element {
        do {
            var parts = try KeyedHash.blake2b(meta, key: key, count: 32)
            parts += try KeyedHash.blake2b(body, key: key, count: 32)
            let hash = try KeyedHash.blake2b(parts, key: key, count: Element.size)
            return hash.withBytes { Element($0, at: 0) }
        } catch {
            throw StoreError(error)
        }
    }
}

extension RecordCodec {
    /// Opens meta and body of a row, and checks that they belong to this row and to this history.
    ///
    /// - Throws: `tampered(.meta)` and `tampered(.body)`; `newerRecord` for another type than a record.
    func openOpaque(_ row: SealedRow, head: HeadContent) throws(StoreError) -> OpaqueRow {
        let bad = StoreError.tampered(.meta(row: row.id.bytes))
        guard row.seal.count == SealedRow.sealSize, row.meta.count <= Padding.packedCount(RecordLimits.meta),
            row.body.count <= Padding.packedCount(RecordLimits.body)
        else { throw bad }
        let meta = try Envelope.open(
            Array(row.seal[..<Envelope.openingSize]) + row.meta,
            key: keys.meta,
            authenticating: VaultLabel.meta.bytes + row.id.bytes
        )
        guard let meta else { throw bad }
        let found = try meta.withBytes { plain throws(StoreError) -> (Revision, Range<Int>)? in
            guard let content = Padding.content(of: plain, count: plain.byteCount),
                let named = try MetaContent.named(plain, at: content),
                let revision = MetaContent.revision(plain, at: content)
            else { return nil }
            return (revision, named.whole)
        }
        guard let (revision, named) = found, (1...head.generation).contains(revision) else { throw bad }
        let name: SecretBytes
        do { name = try SecretBytes.joined(Self.idLabel, meta.slice(named)) } catch {
            throw StoreError(error)
        }
        guard try rowID(hashing: name) == row.id else { throw bad }
        let body = try Envelope.open(
            Array(row.seal[Envelope.openingSize...]) + row.body,
            key: keys.body,
            authenticating: Self.bodyData(row.id, revision)
        )
        guard let body else { throw .tampered(.body(row: row.id.bytes)) }
        return OpaqueRow(revision: revision, name: name, meta: meta, body: body)
    }

    /// Seals the row under these keys with fresh nonces, first for the meta, then for the body.
    func sealOpaque(_ row: borrowing OpaqueRow, entropy: Entropy) throws(StoreError) -> SealedRow {
        let id = try rowID(hashing: row.name)
        let meta = try Envelope.seal(
            row.meta,
            key: keys.meta,
            authenticating: VaultLabel.meta.bytes + id.bytes,
            entropy: entropy
        )
        let body = try Envelope.seal(
            row.body,
            key: keys.body,
            authenticating: Self.bodyData(id, row.revision),
            entropy: entropy
        )
        return SealedRow(
            id: id,
            seal: meta.opening + body.opening,
            meta: meta.ciphertext,
            body: body.ciphertext
        )
    }
}

/// A record as it is stored, unreadable without the keys.
package struct SealedRow: Equatable, Sendable {
    /// Bytes of a seal: nonce and tag of the meta, nonce and tag of the body.
    package static let sealSize = 2 * Envelope.openingSize

    /// The key of the row.
    package let id: RowID
    /// 80 bytes.
    package let seal: [UInt8]
    /// Everything but the secret, encrypted.
    package let meta: [UInt8]
    /// The secret, encrypted; empty if the row was read without it.
    package let body: [UInt8]

    /// A row as it was read.
    package init(id: RowID, seal: [UInt8], meta: [UInt8], body: [UInt8]) {
        self.id = id
        self.seal = seal
        self.meta = meta
        self.body = body
    }
}
