public import VaultCrypto

/// The text of a key file (slots of kind 3): `HSIP-KEYFILE-1 ` ‖ 64 lower-case hexadecimal digits ‖ LF.
public enum KeyFile {
    /// Bytes of the secret.
    public static let secretSize = 32
    /// Bytes of the text.
    public static let textSize = front.count + 2 * secretSize + 1
    private static let front = Array("HSIP-KEYFILE-1 ".utf8)

    /// The text of a secret.
    ///
    /// - Throws: `invalidRecord(.slot)` for a secret of another size; `outOfMemory`.
    public static func text(of secret: Secret) throws(StoreError) -> SecretBytes {
        guard secret.count == secretSize else { throw .invalidRecord(.slot) }
        do {
            return try SecretBytes(count: textSize) { target in
                for (index, byte) in front.enumerated() { set(byte, at: index, of: &target) }
                secret.withBytes { bytes in
                    for index in 0..<secretSize {
                        let byte = bytes.byte(at: index)
                        set(digit(byte >> 4), at: front.count + 2 * index, of: &target)
                        set(digit(byte & 15), at: front.count + 2 * index + 1, of: &target)
                    }
                }
                set(0x0A, at: textSize - 1, of: &target)
            }
        } catch {
            throw StoreError(error)
        }
    }

    /// The secret in a text; the line feed may be missing.
    ///
    /// - Throws: `mistyped` for any other text; `outOfMemory`.
    public static func read(_ text: borrowing some ByteSource & ~Copyable) throws(StoreError) -> Secret {
        var isWhole = text.count == textSize || text.count == textSize - 1
        guard isWhole else { throw .mistyped }
        do throws(CryptoError) {
            let secret = try SecretBytes(count: secretSize) { target in
                text.withBytes { bytes in
                    for (index, byte) in front.enumerated() {
                        isWhole = bytes.byte(at: index) == byte && isWhole
                    }
                    if bytes.byteCount == textSize {
                        isWhole = bytes.byte(at: textSize - 1) == 0x0A && isWhole
                    }
                    for index in 0..<secretSize {
                        let high = value(bytes.byte(at: front.count + 2 * index))
                        let low = value(bytes.byte(at: front.count + 2 * index + 1))
                        isWhole = (high | low) < 16 && isWhole
                        set(high << 4 | low & 15, at: index, of: &target)
                    }
                }
            }
            guard isWhole else { throw .malformedText }
            return Secret(secret)
        } catch .malformedText {
            throw .mistyped
        } catch {
            throw StoreError(error)
        }
    }

    /// The digit of 0 to 15, without a table or a branch that depends on it.
    private static func digit(_ value: UInt8) -> UInt8 {
        // 9 - value is negative from 10 on; then its upper bits are set.
        let isLetter = UInt8(truncatingIfNeeded: (9 - Int(value)) >> 8)
        return value &+ 0x30 &+ (isLetter & 0x27)
    }

    /// The value of a digit, without a table or a branch that depends on it; 255 for any other byte.
    private static func value(_ byte: UInt8) -> UInt8 {
        let character = Int(byte)
        let isDigit = ((0x2F - character) & (character - 0x3A)) >> 8 & 0xFF
        let isLetter = ((0x60 - character) & (character - 0x67)) >> 8 & 0xFF
        let found =
            isDigit & (character - 0x30) | isLetter & (character - 0x57) | ~(isDigit | isLetter) & 0xFF
        return UInt8(truncatingIfNeeded: found)
    }

    private static func set(_ byte: UInt8, at index: Int, of target: inout MutableRawSpan) {
        unsafe target.withUnsafeMutableBytes { unsafe $0[index] = byte }
    }
}
