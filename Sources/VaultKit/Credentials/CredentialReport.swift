public import Credentials
public import RecordStore

/// What is wrong with the credentials of a vault, without any of their values.
public struct CredentialReport: Sendable, Codable {
    /// What is to say about one of them.
    public struct Finding: Sendable, Codable {
        /// Its name.
        public let name: String
        /// How hard its password is to guess, rounded down to whole bits; nil where it has none.
        public let bits: Int?
        /// Others that have the same password: the first few of them by name.
        public let sameAs: [String]
        /// When the password was last changed, Unix seconds.
        public let changed: UInt64
        /// It is older than a year.
        public let isOld: Bool
        /// When it ceases to be of use, Unix seconds.
        public let expires: UInt64?
        /// It has done so.
        public let isExpired: Bool

        /// How hard its password is to guess.
        public var strength: Strength? { bits.map { Strength(bits: Double($0)) } }

        /// `weak`, `reused`, `old`, `expired`, as far as they are true.
        public var words: [String] {
            var words: [String] = []
            if strength?.label == .weak { words.append("weak") }
            if !sameAs.isEmpty { words.append("reused") }
            if isOld { words.append("old") }
            if isExpired { words.append("expired") }
            return words
        }
    }

    /// Those with something to say about, by name; of one that was asked for, that one.
    public let findings: [Finding]
    /// How many were looked at.
    public let checked: Int
    /// Those whose values cannot be read: nothing is known of them.
    public let damaged: [DamagedRecord]
    /// There are more than could be told at once.
    public let isCut: Bool
}
