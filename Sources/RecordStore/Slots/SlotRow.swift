internal import VaultCrypto

/// A key slot as it is stored: the vault key, wrapped under one secret.
package struct SlotRow: Equatable, Sendable {
    /// The slot's number, from 1.
    package let number: UInt32
    /// The kind of secret that opens the slot.
    package let kind: SlotKind
    /// The parameters that stretch the secret; public.
    package let params: [UInt8]
    /// 32 bytes that distinguish a right secret from a wrong one, and bind the slot to the secret.
    package let proof: [UInt8]
    /// The vault key, sealed under a key derived from the secret: 72 bytes, or 104 in a carried slot.
    package let sealed: [UInt8]
    /// Label and creation time, sealed under subkey 6.
    package let note: [UInt8]

    /// A stored slot.
    package init(
        number: UInt32,
        kind: SlotKind,
        params: [UInt8],
        proof: [UInt8],
        sealed: [UInt8],
        note: [UInt8]
    ) {
        self.number = number
        self.kind = kind
        self.params = params
        self.proof = proof
        self.sealed = sealed
        self.note = note
    }

    /// Whether the next vault key can be wrapped to this slot without its secret; this needs a suitable kind in a known
    /// version.
    package var isCarried: Bool { kind.isCarried && CarriedParams(params) != nil }

    /// The row with a wrapped vault key and a note.
    func sealing(_ sealed: [UInt8], note: [UInt8]) -> SlotRow {
        SlotRow(number: number, kind: kind, params: params, proof: proof, sealed: sealed, note: note)
    }

    /// The data that `sealed` authenticates: L(slot) ‖ vault id ‖ key epoch ‖ n ‖ kind ‖ len params ‖ params
    /// ‖ proof.
    func sealedData(vaultID: [UInt8], epoch: UInt32) -> [UInt8] {
        var data = VaultLabel.slot.bytes + vaultID
        data.append(bigEndian: epoch)
        data.append(bigEndian: number)
        data.append(bigEndian: kind.rawValue)
        data.append(long: params)
        return data + proof
    }

    /// L(note) ‖ n ‖ proof: the data that `note` authenticates.
    var noteData: [UInt8] {
        var data = VaultLabel.note.bytes
        data.append(bigEndian: number)
        return data + proof
    }
}

/// The label and creation time of a slot: pack(u64 created ‖ s16 label), sealed under subkey 6.
struct SlotNote: Equatable, Sendable {
    let created: UInt64
    let label: String

    init(created: UInt64, label: String) {
        self.created = created
        self.label = label
    }

    /// Opens the note of a slot; throws `tampered(.slots)` if it fails authentication or is malformed.
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
