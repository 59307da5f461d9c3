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
