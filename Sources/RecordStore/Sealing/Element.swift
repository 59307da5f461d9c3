internal import VaultCrypto

/// The contribution of one row to the sum of its lane: a keyed hash of the row's id and seals.
///
/// Sums are XOR. That is safe only because nobody sees a sum: they are encrypted in the head
/// (Schemas/vault-file.md section 4, "Argument").
package struct Element: Hashable, Sendable {
    /// Size in bytes.
    static let size = 16
    /// The sum of no rows.
    static let zero = Element(high: 0, low: 0)

    private(set) var high: UInt64
    private(set) var low: UInt64

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The 16 bytes at `offset`, which must exist.
    init(_ bytes: RawSpan, at offset: Int) {
        high = UInt64(bigEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
        low = UInt64(bigEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
    }

    /// The 16 bytes.
    package var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.size)
        store(in: &bytes, at: 0)
        return bytes
    }

    /// Writes the 16 bytes into an array, from `offset` on.
    func store(in bytes: inout [UInt8], at offset: Int) {
        bytes.store(bigEndian: high, at: offset)
        bytes.store(bigEndian: low, at: offset + 8)
    }

    /// Adds a row to a sum, or removes the row from it.
    static func ^= (sum: inout Self, element: Self) {
        sum.high ^= element.high
        sum.low ^= element.low
    }
}
