import VaultCrypto

/// The facts in a share about itself and its sharing, which are not secret.
package struct ShareHeader: Equatable, Sendable {
    /// Words that it has.
    static let size = 4

    /// 15 random bits that all shares of a sharing have in common.
    package let identifier: UInt16
    /// Whether the same secret can be shared again under another identifier: always so in shares that are made here.
    package let isExtendable: Bool
    /// Each step doubles the work of an attempt at the passphrase; 0 in shares that are made here.
    package let iterationExponent: Int
    /// Which group the share is of, counted from 0; there is one group in shares that are made here.
    package let group: Int
    /// How many groups are needed, 1...16.
    package let groupThreshold: Int
    /// How many groups there are, 1...16.
    package let groupCount: Int
    /// Which share of its group it is, counted from 0.
    package let member: Int
    /// How many shares of the group are needed, 1...16.
    package let threshold: Int

    /// A header of one group, as shares are made here.
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

    /// Whether it is as shares are made here: one group, extendable, without extra work.
    package var isPlain: Bool {
        isExtendable && iterationExponent == 0 && group == 0 && groupThreshold == 1 && groupCount == 1
    }

    /// Whether a share of the same sharing can have the other header.
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
    /// The secret cannot be split so: 1 ≤ threshold ≤ count ≤ 16, a threshold of 1 for one share only, and 16
    /// to 64 bytes, an even number.
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
