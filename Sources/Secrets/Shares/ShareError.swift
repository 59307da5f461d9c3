import VaultCrypto

/// What can go wrong with shares.
///
/// Places count from 1, and nothing of a share's content is in an error.
package enum ShareError: Error, Equatable, Sendable {
    /// One text is no share as it was written down.
    case shareWrong(Fault)
    /// The share at this place belongs to another secret than the first one, or to another sharing of it.
    case sharesDiffer(at: Int)
    /// The share at this place was there before.
    case shareAgain(at: Int)
    /// So many shares are needed, and so many are there.
    case shareCount(needed: Int, found: Int)
    /// Each share is whole and all belong together, but what they give is not what was shared.
    case sharesWrong
    /// A secret cannot be shared so: 1 ≤ threshold ≤ count ≤ 16, a threshold of 1 for one share only, and 16 to 64 bytes,
    /// an even number.
    case badParameters
    /// Locked memory was not to be had.
    case outOfMemory

    /// Why a text is no share.
    package enum Fault: Equatable, Sendable {
        /// It has so many words; a share of a vault has 20.
        case wordCount(Int)
        /// The word at this place is not in the list.
        case unknownWord(at: Int)
        /// The words are all in the list, but one or more are not those that were written down.
        case checksum
        /// The checksum is right, and the content is none that a share has.
        case content
        /// It is a share of something else than a vault: another size, several groups, extra work.
        case foreign
    }

    init(_ error: CryptoError) { self = error == .outOfMemory ? .outOfMemory : .badParameters }
}
