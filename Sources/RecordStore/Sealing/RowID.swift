internal import VaultCrypto

/// The key of a row: a keyed hash of kind and name, which reveals nothing without the key.
package struct RowID: Hashable, Comparable, Sendable {
    /// Size in bytes.
    package static let size = 16

    let high: UInt64
    let low: UInt64

    /// The id in 16 bytes; nil for any other number of them.
    package init?(_ bytes: RawSpan) {
        guard bytes.byteCount == Self.size else { return nil }
        high = UInt64(bigEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt64.self))
        low = UInt64(bigEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }

    /// The id in 16 bytes; nil for any other number of them.
    package init?(_ bytes: [UInt8]) {
        guard let id = bytes.withBytes({ RowID($0) }) else { return nil }
        self = id
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

    /// The lane that authenticates the row: the top 7 bits.
    package var lane: Int { Int(high >> 57) }

    /// The lane of a key of any size; a row with a key of a wrong size was planted there.
    static func lane(of bytes: RawSpan) -> Int {
        bytes.byteCount == 0 ? 0 : Int(bytes.byte(at: 0) >> 1)
    }

    /// Orders ids by their bytes, which is the order of the rows.
    package static func < (left: Self, right: Self) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }
}
