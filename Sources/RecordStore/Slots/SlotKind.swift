/// How a key slot is opened, by its number in the format.
///
/// Numbers that this program does not know are kept, listed and authenticated like the others, never tried.
public struct SlotKind: RawRepresentable, Hashable, Sendable {
    /// The number as it is stored.
    public let rawValue: UInt32

    /// A kind by its number, known or not.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// A passphrase, through Argon2id.
    public static let passphrase = SlotKind(rawValue: 1)
    /// A recovery code: 128 random bits on paper.
    public static let recovery = SlotKind(rawValue: 2)

    /// 32 random bytes in an item of the desktop's Secret Service.
    public static let secretService = SlotKind(rawValue: 4)

    /// Whether the secret can be carried to another machine: kinds 1 to 3.
    ///
    /// The last such slot stays.
    public var isPortable: Bool { (1...3).contains(rawValue) }
}
