import VaultCrypto

/// The words of one share as numbers of ten bits, in locked memory.
struct ShareWords: ~Copyable {
    /// The words of the shortest share, whose secret has 16 bytes.
    static let minimum = 20
    /// The number of words of the longest share that is read, whose secret has 64 bytes.
    static let maximum = 59

    private var memory: SecretBytes
    /// The number of words.
    let count: Int

    /// Makes words that are all zero.
    ///
    /// - Throws: `ShareError.outOfMemory`.
    init(count: Int) throws(ShareError) {
        do { memory = try SecretBytes(count: 2 * count) } catch { throw ShareError(error) }
        self.count = count
    }

    /// The number of a word.
    borrowing func number(at index: Int) -> UInt32 {
        memory.withBytes { UInt32($0.byte(at: 2 * index)) << 8 | UInt32($0.byte(at: 2 * index + 1)) }
    }

    /// Sets the number of a word.
    mutating func set(_ number: UInt32, at index: Int) {
        memory.withMutableBytes { bytes in
            bytes.storeBytes(
                of: UInt8(truncatingIfNeeded: number >> 8),
                toByteOffset: 2 * index,
                as: UInt8.self
            )
            bytes.storeBytes(
                of: UInt8(truncatingIfNeeded: number),
                toByteOffset: 2 * index + 1,
                as: UInt8.self
            )
        }
    }

    /// The bit at an index, counted from the highest bit of the first word.
    borrowing func bit(at place: Int) -> UInt32 { number(at: place / 10) >> UInt32(9 - place % 10) & 1 }

    /// Sets a bit at an index that has no bit yet.
    mutating func add(_ bit: UInt32, at place: Int) {
        set(number(at: place / 10) | bit << UInt32(9 - place % 10), at: place / 10)
    }
}
