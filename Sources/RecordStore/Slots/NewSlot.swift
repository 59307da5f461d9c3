public import VaultCrypto

/// A key slot to be made.
public struct NewSlot: Sendable {
    /// The secret that will open it.
    public let unlock: Unlock
    /// Text for people, at most 1,024 bytes; encrypted in the file.
    public let label: String
    /// What a guess at a passphrase costs; without meaning for other kinds.
    public let parameters: PasswordHash.Parameters
    /// How the slot will be opened.
    let kind: SlotKind

    /// A slot to be made; sizes are checked when it is.
    public init(
        _ unlock: Unlock,
        label: String = "",
        parameters: PasswordHash.Parameters = PasswordHash.standard
    ) {
        self.unlock = unlock
        self.label = label
        self.parameters = parameters
        kind = unlock.kind
    }

    /// A slot for a recovery code as earlier programs made it: for tests of what is still read.
    package init(plainRecovery code: Secret, label: String = "") {
        unlock = .recovery(code)
        self.label = label
        parameters = PasswordHash.standard
        kind = .plainRecovery
    }
}
