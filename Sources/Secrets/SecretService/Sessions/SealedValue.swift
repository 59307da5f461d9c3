package import VaultCrypto

/// A value as it travels: the two middle parts of the `(oayays)` that the bus calls a secret.
package struct SealedValue: ~Copyable {
    /// Bytes in the longest value, 1 MiB.
    package static let longest = 1 << 20

    /// The initialisation vector of an encrypted session; empty in a plain one.
    package let parameters: [UInt8]
    /// The value: encrypted, or in clear.
    package let value: SecretBytes

    /// Takes the parts over.
    package init(parameters: [UInt8], value: consuming SecretBytes) {
        self.parameters = parameters
        self.value = value
    }
}
