package import VaultCrypto

/// Converts records to rows and back, in memory that is reused instead of allocated for each row.
package struct RecordCodec: ~Copyable, Sendable {
    let keys: VaultKeys
    private var buffers: RowBuffers
    /// L(id), and room for kind and name.
    private var nameMessage =
        idLabel + [UInt8](repeating: 0, count: 4 + RecordLimits.kind + RecordLimits.name)

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
        return try rowID(hashing: message)
    }

    /// The row id from a message that begins with L(id).
    func rowID(hashing message: borrowing some ByteSource & ~Copyable) throws(StoreError) -> RowID {
        guard let row = try Self.hash(message, keys.id, { RowID($0) }) else { throw .corrupt }
        return row
    }

    /// A row's summand of its lane's sum: H(subkey 5, id ‖ seal, 16).
    ///
    /// The caller has checked that `id` has 16 bytes and `seal` 80.
    package mutating func element(id: RawSpan, seal: RawSpan) throws(StoreError) -> Element {
        buffers.elementMessage.overwrite(at: 0, with: id)
        buffers.elementMessage.overwrite(at: RowID.size, with: seal)
        return try Self.hash(buffers.elementMessage, keys.lane) { Element($0, at: 0) }
    }

    /// The element of a whole row; nil if its seal does not have 80 bytes.
    package mutating func element(of row: SealedRow) throws(StoreError) -> Element? {
        guard row.seal.count == SealedRow.sealSize else { return nil }
        row.id.store(in: &buffers.elementMessage, at: 0)
        row.seal.withBytes { buffers.elementMessage.overwrite(at: RowID.size, with: $0) }
        return try Self.hash(buffers.elementMessage, keys.lane) { Element($0, at: 0) }
    }

    /// Seals a record again: two fresh nonces, first for the meta, then for the body.
    package mutating func seal(
        _ info: RecordInfo,
        body: Secret,
        entropy: Entropy
    ) throws(StoreError) -> SealedRow {
        try seal(info, at: rowID(of: info.id), body: body, entropy: entropy)
    }

    /// Seals a record whose row id is already known.
    mutating func seal(
        _ info: RecordInfo,
        at id: RowID,
        body: Secret,
        entropy: Entropy
    ) throws(StoreError) -> SealedRow {
        let meta = try Envelope.seal(
            Padding.pack(MetaContent.encode(info)),
            key: keys.meta,
            authenticating: Self.data(VaultLabel.meta, id),
            entropy: entropy
        )
        let sealedBody = try buffers.sealBody(
            body,
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

    /// Opens the meta of a row and checks that it belongs to this row and to this history.
    ///
    /// Returns nil for another kind than the wanted one; if the wanted kind is nil, every kind is wanted.
    ///
    /// - Throws: `tampered(.meta)` if authentication fails, or if the meta is malformed, has another id, or a revision
    ///   above the head's generation.
    mutating func openMeta(
        id: RowID,
        seal: RawSpan,
        meta: RawSpan,
        head: HeadContent,
        wanting kind: RecordKind?
    ) throws(StoreError) -> RecordInfo? {
        guard seal.byteCount == SealedRow.sealSize, meta.byteCount <= Padding.packedCount(RecordLimits.meta),
            try buffers.openMeta(id: id, opening: seal, ciphertext: meta, key: keys.meta)
        else { throw .tampered(.meta(row: id.bytes)) }
        // Swapped out during the call, so that it is not copied and does not conflict with access to the plaintext.
        var message: [UInt8] = []
        swap(&message, &nameMessage)
        defer { swap(&message, &nameMessage) }
        let keys = keys
        return try buffers.plaintext.withBytes { plain throws(StoreError) in
            guard let content = Padding.content(of: plain, count: meta.byteCount),
                let named = try MetaContent.named(plain, at: content)
            else { throw .tampered(.meta(row: id.bytes)) }
            // Kind and name are hashed in their encoding in the meta.
            message.overwrite(at: Self.idLabel.count, with: plain.extracting(named.whole))
            let hashed = message[..<(Self.idLabel.count + named.whole.count)]
            guard try Self.hash(hashed, keys.id, { RowID($0) }) == id else {
                throw .tampered(.meta(row: id.bytes))
            }
            if let kind, !MetaContent.is(kind, plain, at: named.kind) { return nil }
            guard let info = MetaContent.decode(plain, at: content, floor: head.floor),
                info.revision <= head.generation
            else { throw .tampered(.meta(row: id.bytes)) }
            return info
        }
    }

    /// Opens the meta of a whole row, of every kind.
    package mutating func openMeta(_ row: SealedRow, head: HeadContent) throws(StoreError) -> RecordInfo {
        let info = try row.seal.withBytes { seal throws(StoreError) in
            try row.meta.withBytes { meta throws(StoreError) in
                try openMeta(id: row.id, seal: seal, meta: meta, head: head, wanting: nil)
            }
        }
        guard let info else { throw .tampered(.meta(row: row.id.bytes)) }
        return info
    }

    /// Opens the body of a row, with the revision from its meta.
    ///
    /// - Throws: `tampered(.body)` if the body fails authentication under this row and revision.
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

    static let idLabel = VaultLabel.id.bytes

    static func bodyData(_ id: RowID, _ revision: Revision) -> [UInt8] {
        var data = Self.data(VaultLabel.body, id)
        data.append(bigEndian: revision)
        return data
    }

    /// A label and the id of a row, with room for a number after them.
    private static func data(_ label: VaultLabel, _ id: RowID) -> [UInt8] {
        var data: [UInt8] = []
        data.reserveCapacity(label.bytes.count + RowID.size + 8)
        data += label.bytes
        data.append(bigEndian: id.high)
        data.append(bigEndian: id.low)
        return data
    }

    /// A keyed hash of 16 bytes, passed to `read`.
    private static func hash<R>(
        _ message: borrowing some ByteSource & ~Copyable,
        _ key: Secret,
        _ read: (RawSpan) -> R
    ) throws(StoreError) -> R {
        var digest = InlineArray<16, UInt8>(repeating: 0)
        var span = digest.mutableSpan
        var target = unsafe span.mutableBytes
        do { try KeyedHash.blake2b(message, key: key, into: &target) } catch { throw StoreError(error) }
        return read(target.bytes)
    }
}
