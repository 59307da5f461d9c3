package import VaultCrypto

/// Records to rows and back, with memory that is used again and again instead of being allocated for each row.
package struct RecordCodec: ~Copyable, Sendable {
    private let keys: VaultKeys
    private var buffers: RowBuffers

    /// A codec for the rows of one vault key.
    package init(keys: VaultKeys) throws(StoreError) {
        self.keys = keys
        buffers = try RowBuffers()
    }

    /// The key of a record's row: H(subkey 4, L(id) ‖ s16(kind) ‖ s16(name), 16).
    package func rowID(of id: RecordID) throws(StoreError) -> RowID {
        var message: [UInt8] = []
        message.reserveCapacity(Self.idLabel.count + 4 + RecordLimits.kind + id.name.utf8.count)
        message += Self.idLabel
        message.append(short: id.kind.rawValue.utf8)
        message.append(short: id.name.utf8)
        guard let row = RowID(try hash(message, keys.id)) else { throw .corrupt }
        return row
    }

    /// What a row adds to the sum of its lane: H(subkey 5, id ‖ seal, 16).
    ///
    /// `id` has 16 bytes and `seal` 80; the caller has checked.
    package mutating func element(id: RawSpan, seal: RawSpan) throws(StoreError) -> Element {
        buffers.elementMessage.overwrite(at: 0, with: id)
        buffers.elementMessage.overwrite(at: RowID.size, with: seal)
        return try hash(buffers.elementMessage, keys.lane).withBytes { Element($0, at: 0) }
    }

    /// The element of a whole row; nil when its seal has another size than 80.
    package mutating func element(of row: SealedRow) throws(StoreError) -> Element? {
        guard row.seal.count == SealedRow.sealSize else { return nil }
        buffers.elementMessage.replaceSubrange(0..<RowID.size, with: row.id.bytes)
        buffers.elementMessage.replaceSubrange(RowID.size..., with: row.seal)
        return try hash(buffers.elementMessage, keys.lane).withBytes { Element($0, at: 0) }
    }

    /// Seals a record anew: two fresh nonces, first for the meta, then for the body.
    package func seal(
        _ info: RecordInfo,
        body: Secret,
        entropy: Entropy
    ) throws(StoreError) -> SealedRow {
        let id = try rowID(of: info.id)
        let meta = try Envelope.seal(
            Padding.pack(MetaContent.encode(info)),
            key: keys.meta,
            authenticating: VaultLabel.meta.bytes + id.bytes,
            entropy: entropy
        )
        let packed: SecretBytes
        do { packed = try Padding.pack(secret: body) } catch { throw StoreError(error) }
        let sealedBody = try Envelope.seal(
            packed,
            key: keys.body,
            authenticating: Self.bodyData(id, info.revision),
            entropy: entropy
        )
        return SealedRow(
            id: id,
            seal: meta.opening + sealedBody.opening,
            meta: meta.ciphertext,
            body: sealedBody.ciphertext
        )
    }

    /// Opens the meta of a row and finds that it belongs to this row and to this history.
    ///
    /// - Throws: `tampered(.meta)` when it does not authenticate, is malformed, has another id, or a revision
    ///   above the head's generation.
    package mutating func openMeta(
        id: RowID,
        seal: RawSpan,
        meta: RawSpan,
        head: HeadContent
    ) throws(StoreError) -> RecordInfo {
        let part = TamperedPart.meta(row: id.bytes)
        guard seal.byteCount == SealedRow.sealSize, meta.byteCount <= Padding.packedCount(RecordLimits.meta)
        else { throw .tampered(part) }
        guard try buffers.openMeta(id: id, opening: seal, ciphertext: meta, key: keys.meta) else {
            throw .tampered(part)
        }
        let found = try buffers.plaintext.withBytes { plain throws(StoreError) -> RecordInfo? in
            guard let range = Padding.content(of: plain, count: meta.byteCount) else { return nil }
            return try MetaContent.decode(plain, at: range, floor: head.floor)
        }
        guard let info = found, info.revision <= head.generation, try rowID(of: info.id) == id else {
            throw .tampered(part)
        }
        return info
    }

    /// Opens the meta of a whole row.
    package mutating func openMeta(_ row: SealedRow, head: HeadContent) throws(StoreError) -> RecordInfo {
        try row.seal.withBytes { seal throws(StoreError) in
            try row.meta.withBytes { meta throws(StoreError) in
                try openMeta(id: row.id, seal: seal, meta: meta, head: head)
            }
        }
    }

    /// Opens the body of a row whose meta told the revision.
    ///
    /// - Throws: `tampered(.body)` when it does not authenticate under this row and revision.
    package func openBody(_ row: SealedRow, revision: Revision) throws(StoreError) -> Secret {
        let part = TamperedPart.body(row: row.id.bytes)
        guard row.seal.count == SealedRow.sealSize, row.body.count <= Padding.packedCount(RecordLimits.body),
            let packed = try Envelope.open(
                Array(row.seal[Envelope.openingSize...]) + row.body,
                key: keys.body,
                authenticating: Self.bodyData(row.id, revision)
            ),
            let range = packed.withBytes({ Padding.content(of: $0, count: $0.byteCount) })
        else { throw .tampered(part) }
        do { return Secret(try packed.slice(range)) } catch { throw StoreError(error) }
    }

    private static let idLabel = VaultLabel.id.bytes

    private static func bodyData(_ id: RowID, _ revision: Revision) -> [UInt8] {
        var data = VaultLabel.body.bytes + id.bytes
        data.append(bigEndian: revision)
        return data
    }

    private func hash(_ message: [UInt8], _ key: Secret) throws(StoreError) -> [UInt8] {
        do { return try KeyedHash.blake2b(message, key: key, count: 16) } catch { throw StoreError(error) }
    }
}
