public import VaultCrypto

/// A key slot as it is listed.
public struct SlotInfo: Equatable, Sendable {
    /// Its number in this vault.
    public let number: UInt32
    /// How it is opened, perhaps by a kind that this program does not know.
    public let kind: SlotKind
    /// Text for people.
    public let label: String
    /// Creation time, Unix milliseconds.
    public let created: UInt64
    /// The cost of a guess at a passphrase; nil for other kinds.
    public let parameters: PasswordHash.Parameters?
    /// The security key or TPM of the slot; nil for other kinds.
    public let device: SlotDevice?

    init(
        number: UInt32,
        kind: SlotKind,
        label: String,
        created: UInt64,
        parameters: PasswordHash.Parameters?,
        device: SlotDevice? = nil
    ) {
        self.number = number
        self.kind = kind
        self.label = label
        self.created = created
        self.parameters = parameters
        self.device = device
    }
}
