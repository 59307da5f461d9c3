internal import VaultCrypto

/// What a passphrase makes of a header.
struct ExportKeys {
    /// Seals the slices.
    let slices: Secret
    /// Stands in the file, and commits to the passphrase.
    let check: [UInt8]

    /// The nonce of a slice: its number, and whether it is the last.
    static func nonce(_ index: UInt64, isLast: Bool) -> [UInt8] {
        var nonce = [UInt8](repeating: 0, count: XChaCha20Poly1305.nonceSize)
        for byte in 0..<8 { nonce[byte] = UInt8(truncatingIfNeeded: index >> UInt64(56 - 8 * byte)) }
        nonce[8] = isLast ? 1 : 0
        return nonce
    }
}
