package import VaultCrypto

/// The head as it is stored: two public numbers and the sealed content.
package struct HeadRow: Equatable, Sendable {
    /// The format that this code reads and writes; sealed in, so it cannot be lowered.
    package static let format: UInt32 = 1

    /// 16 bytes, public.
    package let vaultID: [UInt8]
    /// Rises with every change of the vault key.
    package let epoch: UInt32
    /// nonce 24 ‖ tag 16 ‖ 2,105 bytes.
    package let sealed: [UInt8]

    /// Every read and every commit asks whether the head is the one it knows: byte by byte that took longer than
    /// all hashes of a small record.
    package static func == (one: HeadRow, other: HeadRow) -> Bool {
        one.epoch == other.epoch && one.vaultID.isSame(as: other.vaultID)
            && one.sealed.isSame(as: other.sealed)
    }

    /// A head as it was read; `tampered(.head)` unless the sizes are right.
    package init(vaultID: [UInt8], epoch: UInt32, sealed: [UInt8]) throws(StoreError) {
        guard vaultID.count == 16, sealed.count == Envelope.openingSize + HeadContent.size else {
            throw .tampered(.head)
        }
        self.vaultID = vaultID
        self.epoch = epoch
        self.sealed = sealed
    }

    /// Seals a head under a fresh nonce.
    package init(
        _ content: HeadContent,
        vaultID: [UInt8],
        epoch: UInt32,
        keys: VaultKeys,
        entropy: Entropy
    ) throws(StoreError) {
        let box = try Envelope.seal(
            content.encoded,
            key: keys.head,
            authenticating: Self.data(vaultID, epoch),
            entropy: entropy
        )
        try self.init(vaultID: vaultID, epoch: epoch, sealed: box.opening + box.ciphertext)
    }

    /// The content; `tampered(.head)` when it does not authenticate.
    package func open(_ keys: VaultKeys) throws(StoreError) -> HeadContent {
        guard
            let plain = try Envelope.open(sealed, key: keys.head, authenticating: Self.data(vaultID, epoch)),
            let content = plain.withBytes({ HeadContent($0) })
        else { throw .tampered(.head) }
        return content
    }

    /// The 16-byte tag, which names this head: no two heads have the same.
    package var tag: [UInt8] { Array(sealed[24..<40]) }

    /// L(head) ‖ vault id ‖ key epoch ‖ format.
    private static func data(_ vaultID: [UInt8], _ epoch: UInt32) -> [UInt8] {
        let label = VaultLabel.head.bytes
        var data: [UInt8] = []
        data.reserveCapacity(label.count + vaultID.count + 8)
        data += label
        data += vaultID
        data.append(bigEndian: epoch)
        data.append(bigEndian: format)
        return data
    }
}
