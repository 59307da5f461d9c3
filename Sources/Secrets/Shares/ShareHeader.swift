import VaultCrypto

/// The public facts in a share about itself and its split.
package struct ShareHeader: Equatable, Sendable {
    /// The number of words in a header.
    static let size = 4

    /// 15 random bits that all shares of a split have in common.
    package let identifier: UInt16
    /// Whether the secret can be split again under another identifier; always true for shares made here.
    package let isExtendable: Bool
    /// The work for each attempt at the passphrase, doubled by each step; 0 for shares made here.
    package let iterationExponent: Int
    /// The group of the share, counted from 0; shares made here have one group.
    package let group: Int
    /// The number of groups that are needed, 1...16.
    package let groupThreshold: Int
    /// The number of groups, 1...16.
    package let groupCount: Int
    /// The number of the share in its group, counted from 0.
    package let member: Int
    /// The number of shares that the group needs, 1...16.
    package let threshold: Int

    /// Makes a header with one group, as for all shares made here.
    init(identifier: UInt16, member: Int, threshold: Int) {
        self.identifier = identifier & 0x7FFF
        (isExtendable, iterationExponent) = (true, 0)
        (group, groupThreshold, groupCount) = (0, 1, 1)
        (self.member, self.threshold) = (member, threshold)
    }

    /// Reads the first four words.
    init(_ words: borrowing ShareWords) {
        func field(_ place: Int, _ bits: Int) -> Int {
            (place..<place + bits).reduce(0) { $0 << 1 | Int(words.bit(at: $1)) }
        }
        identifier = UInt16(field(0, 15))
        isExtendable = field(15, 1) == 1
        iterationExponent = field(16, 4)
        group = field(20, 4)
        groupThreshold = field(24, 4) + 1
        groupCount = field(28, 4) + 1
        member = field(32, 4)
        threshold = field(36, 4) + 1
    }

    /// Writes the first four words, which must be zero.
    func write(to words: inout ShareWords) {
        let fields = [
            (Int(identifier), 15), (isExtendable ? 1 : 0, 1), (iterationExponent, 4), (group, 4),
            (groupThreshold - 1, 4), (groupCount - 1, 4), (member, 4), (threshold - 1, 4),
        ]
        var place = 0
        for (value, bits) in fields {
            for bit in (0..<bits).reversed() {
                words.add(UInt32(value >> bit & 1), at: place)
                place += 1
            }
        }
    }

    /// Whether the share has the form of shares made here: one group, extendable, without extra work.
    package var isPlain: Bool {
        isExtendable && iterationExponent == 0 && group == 0 && groupThreshold == 1 && groupCount == 1
    }

    /// Whether both headers can be from the same split.
    func belongsTo(_ other: ShareHeader) -> Bool {
        identifier == other.identifier && isExtendable == other.isExtendable
            && iterationExponent == other.iterationExponent && groupThreshold == other.groupThreshold
            && groupCount == other.groupCount && (group != other.group || threshold == other.threshold)
    }
}

/// The errors of shares.
///
/// Positions count from 1, and no error contains any content of a share.
package enum ShareError: Error, Equatable, Sendable {
    /// A text is not a share as it was written down.
    case shareWrong(Fault)
    /// The share at this position belongs to another secret than the first one, or to another split of it.
    case sharesDiffer(at: Int)
    /// The share at this position repeats an earlier one.
    case shareAgain(at: Int)
    /// Too few shares: the number needed, and the number given.
    case shareCount(needed: Int, found: Int)
    /// Each share is whole and all belong together, but the combined secret is not the shared one.
    case sharesWrong
    /// The secret cannot be split in this way.
    ///
    /// It needs 1 ≤ threshold ≤ count ≤ 16, a threshold of 1 only for one share, and an even number of 16 to 64 bytes.
    case badParameters
    /// No locked memory was available.
    case outOfMemory

    /// The reason why a text is not a share.
    package enum Fault: Equatable, Sendable {
        /// The number of words is wrong; a share of a vault has 20.
        case wordCount(Int)
        /// The word at this position is not in the list.
        case unknownWord(at: Int)
        /// All words are in the list, but at least one differs from the written share.
        case checksum
        /// The checksum is right, but no share has this content.
        case content
        /// The share is not from a vault: it has another size, several groups, or extra work.
        case foreign
    }

    init(_ error: CryptoError) { self = error == .outOfMemory ? .outOfMemory : .badParameters }
}
