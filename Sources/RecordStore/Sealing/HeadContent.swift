internal import VaultCrypto

/// The content of the head: one position in the history, and a sum for each lane (Schemas/vault-file.md
/// section 4).
package struct HeadContent: Equatable, Sendable {
    /// The number of lanes: as many sums as fit in one page of the file.
    package static let laneCount = 128
    /// Bytes of the encoding.
    package static let size = 1 + 3 * 8 + digestSize + laneCount * Element.size
    /// Bytes of the slot digest.
    static let digestSize = 32
    private static let version: UInt8 = 1

    /// Number of the commit that wrote this head.
    package internal(set) var generation: UInt64
    /// How many records there are.
    package internal(set) var count: UInt64
    /// Records with a revision below this predate the last restore.
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

    /// Reads the 2,105 bytes; nil for anything else.
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
