/// An entry of an export that cannot be taken, and why.
public struct RefusedEntry: Sendable, Equatable {
    /// Why not; the words of Schemas/cli/import.schema.json.
    public enum Reason: String, Sendable, Equatable, CaseIterable {
        /// It holds no value at all.
        case empty
        /// It is a file and nothing else, and the export has its name only.
        case onlyFiles
        /// It lies in the trash of the program it comes from.
        case inTrash
        /// It was put aside in the program it comes from.
        case archived
        /// A kind of entry without a meaning here.
        case unknownKind
        /// Its values are encrypted by the program it comes from.
        case encrypted
        /// A value, a name or their number is over `ImportLimits`.
        case tooLarge
        /// A name that is not UTF-8.
        case notText
        /// Could not be opened where it lies: `gpg` has no key for it, or the keyring kept it locked.
        case notOpened
        /// The entry is one of a vault's own records.
        case ownRecord
    }

    /// As its owner calls it; may be empty.
    public let title: String
    /// Which entry it was, as in `Candidate.place`.
    public let place: Int
    /// Why not.
    public let reason: Reason

    /// An entry that is not taken.
    public init(_ title: String, place: Int, _ reason: Reason) {
        self.title = title
        self.place = place
        self.reason = reason
    }
}
