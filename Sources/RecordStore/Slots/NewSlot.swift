public import VaultCrypto

/// A new key slot, before it is made.
public struct NewSlot: Sendable {
    /// The secret that will open the slot.
    public let unlock: Unlock
    /// Text for people, at most 1,024 bytes; encrypted in the file.
    public let label: String
    /// The cost of a guess at a passphrase; without meaning for other kinds.
    public let parameters: PasswordHash.Parameters
    /// The kind of secret that opens the slot.
    let kind: SlotKind
    /// The salt of a hardware slot's secret; other slots get one when they are made.
    let salt: [UInt8]?
    /// The device of a hardware slot.
    let device: SlotDevice?

    /// A new hardware slot: its device, the 16 random bytes that went into its secret, and S.
    public init(_ device: SlotDevice, salt: [UInt8], secret: Secret, label: String = "") {
        switch device {
        case .securityKey: unlock = .securityKey(secret)
        case .tpm: unlock = .tpm(secret)
        }
        self.label = label
        parameters = PasswordHash.standard
        kind = unlock.kind
        self.salt = salt
        self.device = device
    }

    /// A new slot; sizes are checked when the slot is made.
    public init(
        _ unlock: Unlock,
        label: String = "",
        parameters: PasswordHash.Parameters = PasswordHash.standard
    ) {
        self.unlock = unlock
        self.label = label
        self.parameters = parameters
        kind = unlock.kind
        salt = nil
        device = nil
    }

    /// A slot for a recovery code in the form of earlier programs, for tests of reading it.
    package init(plainRecovery code: Secret, label: String = "") {
        unlock = .recovery(code)
        self.label = label
        parameters = PasswordHash.standard
        kind = .plainRecovery
        salt = nil
        device = nil
    }
}
