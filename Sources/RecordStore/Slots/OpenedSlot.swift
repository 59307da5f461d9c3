package import VaultCrypto

/// A slot that a secret has opened, with the vault key that was in it.
package struct OpenedSlot: ~Copyable, Sendable {
    /// The slot's number.
    package let number: UInt32
    /// Whether a person who had the vault key before this one can have made it without its secret.
    package let isCarried: Bool
    /// 32 bytes; wiped with this value.
    package let vaultKey: SecretBytes
}
