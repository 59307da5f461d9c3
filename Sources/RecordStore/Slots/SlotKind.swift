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
    /// A recovery code, 128 random bits on paper, of an earlier program: a new vault key ends it.
    public static let plainRecovery = SlotKind(rawValue: 2)
    /// 32 random bytes in a file.
    public static let keyFile = SlotKind(rawValue: 3)
    /// 32 random bytes in an item of the desktop's Secret Service.
    public static let secretService = SlotKind(rawValue: 4)
    /// A TPM 2 of this machine.
    public static let tpm = SlotKind(rawValue: 16)
    /// A FIDO2 security key.
    public static let securityKey = SlotKind(rawValue: 17)
    /// A recovery code, 128 random bits on paper, which also opens the vault after its key was changed.
    public static let recovery = SlotKind(rawValue: 20)

    /// Whether a person can open the vault by it on another machine: a passphrase, a recovery code or shares.
    ///
    /// The last such slot stays. A key file does not count, because it may be on this machine only.
    public var isPortable: Bool { self == .passphrase || isRecovery }

    /// Whether it is opened by a recovery code, of whichever kind.
    public var isRecovery: Bool { self == .recovery || self == .plainRecovery }

    /// Whether its rows have the form that a new vault key can be wrapped to without the secret.
    var isCarried: Bool { [.tpm, .securityKey, .recovery].contains(self) }
}
