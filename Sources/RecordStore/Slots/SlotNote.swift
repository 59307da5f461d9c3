internal import VaultCrypto

/// What people wrote on a slot, and when: pack(u64 created ‖ s16 label), sealed under subkey 6.
struct SlotNote: Equatable, Sendable {
    let created: UInt64
    let label: String

    init(created: UInt64, label: String) {
        self.created = created
        self.label = label
    }

    /// Opens the note of a slot; `tampered(.slots)` when it does not authenticate or is malformed.
    init(_ row: SlotRow, _ keys: VaultKeys) throws(StoreError) {
        guard let plain = try Envelope.open(row.note, key: keys.slot, authenticating: row.noteData),
            let note = plain.withBytes({ Self.read($0) })
        else { throw .tampered(.slots) }
        self = note
    }

    /// Seals the note for a slot whose other parts are known.
    func seal(_ row: SlotRow, _ keys: VaultKeys, _ entropy: Entropy) throws(StoreError) -> [UInt8] {
        var content: [UInt8] = []
        content.append(bigEndian: created)
        content.append(short: label.utf8)
        let box = try Envelope.seal(
            Padding.pack(content),
            key: keys.slot,
            authenticating: row.noteData,
            entropy: entropy
        )
        return box.opening + box.ciphertext
    }

    private static func read(_ plain: RawSpan) -> SlotNote? {
        guard let range = Padding.content(of: plain, count: plain.byteCount) else { return nil }
        var reader = SpanReader(range)
        guard let created = reader.number(UInt64.self, of: plain),
            let label = reader.text(RecordLimits.label, of: plain), reader.isAtEnd
        else { return nil }
        return SlotNote(created: created, label: label)
    }
}
