internal import VaultCrypto

/// A key slot as it is stored: the vault key, wrapped under one secret.
package struct SlotRow: Equatable, Sendable {
    /// Its number, from 1.
    package let number: UInt32
    /// The kind of secret that opens the slot.
    package let kind: SlotKind
    /// The parameters that stretch the secret; public.
    package let params: [UInt8]
    /// 32 bytes that tell a right secret from a wrong one, and bind the slot to it.
    package let proof: [UInt8]
    /// The vault key, sealed under the key made of the secret: 72 bytes, of a carried slot 104.
    package let sealed: [UInt8]
    /// Label and time of making, sealed under subkey 6.
    package let note: [UInt8]

    /// A slot as it was read.
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

    /// Whether the next vault key can be wrapped to its secret without it: the kind is one of those, in a version that
    /// is known.
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

    /// L(note) ‖ n ‖ proof: what `note` vouches for.
    var noteData: [UInt8] {
        var data = VaultLabel.note.bytes
        data.append(bigEndian: number)
        return data + proof
    }
}

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
