package import VaultCrypto

/// The head as it is stored: two public numbers and the sealed content.
package struct HeadRow: Equatable, Sendable {
    /// The format that this code reads and writes; sealed in, so it cannot be lowered.
    package static let format: UInt32 = 1

    /// The id of the vault: 16 bytes, public.
    package let vaultID: [UInt8]
    /// The key epoch: it rises with every change of the vault key.
    package let epoch: UInt32
    /// nonce 24 ‖ tag 16 ‖ 2,105 bytes.
    package let sealed: [UInt8]

    /// Compares two heads quickly: every read and every commit does so, and comparing byte by byte took longer than all
    /// hashes of a small record.
    package static func == (one: HeadRow, other: HeadRow) -> Bool {
        one.epoch == other.epoch && one.vaultID.isSame(as: other.vaultID)
            && one.sealed.isSame(as: other.sealed)
    }

    /// A stored head; throws `tampered(.head)` if a size is wrong.
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

    /// The content; throws `tampered(.head)` if authentication fails.
    package func open(_ keys: VaultKeys) throws(StoreError) -> HeadContent {
        guard
            let plain = try Envelope.open(sealed, key: keys.head, authenticating: Self.data(vaultID, epoch)),
            let content = plain.withBytes({ HeadContent($0) })
        else { throw .tampered(.head) }
        return content
    }

    /// The 16-byte tag, which identifies this head: no two heads have the same tag.
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

/// The content of the head: one position in the history, and a sum for each lane (Schemas/vault-file.md
/// section 4).
package struct HeadContent: Equatable, Sendable {
    /// The number of lanes: their sums fit in one page of the file.
    package static let laneCount = 128
    /// Bytes of the encoding.
    package static let size = 1 + 3 * 8 + digestSize + laneCount * Element.size
    /// Bytes of the slot digest.
    static let digestSize = 32
    private static let version: UInt8 = 1

    /// Number of the commit that wrote this head.
    package internal(set) var generation: UInt64
    /// The number of records.
    package internal(set) var count: UInt64
    /// Records with a lower revision were written before the last restore.
    package internal(set) var floor: UInt64
    /// Digest over all key slots.
    package internal(set) var slotDigest: [UInt8]
    /// The sum of each lane.
    package internal(set) var sums: [Element]

    /// The head of a vault without records.
    package init(slotDigest: [UInt8]) {
        generation = 1
        count = 0
        floor = 0
        self.slotDigest = slotDigest
        sums = Array(repeating: .zero, count: Self.laneCount)
    }

    /// Reads the 2,105 bytes; nil for any other content.
    package init?(_ bytes: RawSpan) {
        guard bytes.byteCount == Self.size, bytes.byte(at: 0) == Self.version else { return nil }
        var reader = SpanReader(1..<Self.size)
        guard let generation = reader.number(UInt64.self, of: bytes),
            let count = reader.number(UInt64.self, of: bytes),
            let floor = reader.number(UInt64.self, of: bytes),
            let digest = reader.take(Self.digestSize)
        else { return nil }
        self.generation = generation
        self.count = count
        self.floor = floor
        slotDigest = SpanReader.copy(digest, of: bytes)
        sums = (0..<Self.laneCount).map { Element(bytes, at: digest.upperBound + $0 * Element.size) }
    }

    /// The 2,105 bytes.
    package var encoded: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.size)
        bytes[0] = Self.version
        bytes.store(bigEndian: generation, at: 1)
        bytes.store(bigEndian: count, at: 9)
        bytes.store(bigEndian: floor, at: 17)
        slotDigest.withBytes { bytes.overwrite(at: 25, with: $0) }
        let start = 25 + Self.digestSize
        for (lane, sum) in sums.enumerated() { sum.store(in: &bytes, at: start + lane * Element.size) }
        return bytes
    }
}
