import VaultCrypto

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
