import VaultCrypto

extension Array where Element == UInt8 {
    /// The bytes of a vector as it is printed; blanks between the digits are for the reader.
    init(hex: String) {
        self = Hex.decode(hex.filter { !$0.isWhitespace }) ?? []
        precondition(!isEmpty || hex.isEmpty, "a vector is hexadecimal")
    }

    /// The bytes 0, 1, 2, … up to `count` of them.
    static func counting(_ count: Int, from first: Int = 0) -> [UInt8] {
        (first..<first + count).map { UInt8(truncatingIfNeeded: $0) }
    }
}

/// A copy of secret bytes, so that a test can compare them.
func exposed(_ secret: borrowing SecretBytes) -> [UInt8] {
    secret.withBytes { $0.copied() }
}
