internal import RecordStore
internal import VaultCrypto

/// A secret of 32 bytes as 64 hexadecimal digits, from locked memory to locked memory.
///
/// The code has neither tables nor branches on a digit, so that neither time nor cache reveals the secret.
enum HexSecret {
    private static let size = Unlock.secretServiceSize

    /// The digits, lower case.
    static func encode(_ secret: borrowing some ByteSource & ~Copyable) throws(StoreError) -> Secret {
        do throws(CryptoError) {
            return Secret(
                try SecretBytes(count: secret.count * 2) { out in
                    secret.withBytes { span in
                        for index in 0..<span.byteCount {
                            let byte = span.byte(at: index)
                            out.storeBytes(of: digit(byte >> 4), toByteOffset: index * 2, as: UInt8.self)
                            out.storeBytes(of: digit(byte & 15), toByteOffset: index * 2 + 1, as: UInt8.self)
                        }
                    }
                }
            )
        } catch {
            throw StoreError(error)
        }
    }

    /// The bytes; nil for a text other than 64 digits in either case.
    static func decode(_ text: RawSpan) throws(StoreError) -> Secret? {
        guard text.byteCount == size * 2 else { return nil }
        var faults: Int32 = 0
        let secret: SecretBytes
        do throws(CryptoError) {
            secret = try SecretBytes(count: size) { out in
                for index in 0..<size {
                    let high = value(text.byte(at: index * 2)), low = value(text.byte(at: index * 2 + 1))
                    faults |= high | low
                    out.storeBytes(
                        of: UInt8(truncatingIfNeeded: high << 4 | low & 15),
                        toByteOffset: index,
                        as: UInt8.self
                    )
                }
            }
        } catch {
            throw StoreError(error)
        }
        // The value of a byte that is not a digit is negative.
        return faults < 0 ? nil : Secret(secret)
    }

    /// `0`…`9`, `a`…`f`: 39 is the gap between the digits and the letters.
    private static func digit(_ number: UInt8) -> UInt8 {
        let number = Int32(number)
        return UInt8(truncatingIfNeeded: 48 + number + ((9 - number) >> 31 & 39))
    }

    /// 0 to 15; negative for a byte that is not a digit.
    private static func value(_ byte: UInt8) -> Int32 {
        let byte = Int32(byte)
        let lower = byte | 32
        // All ones if the byte is in the range, else zero.
        let isNumber = ~((byte - 48) >> 31 | (57 - byte) >> 31)
        let isLetter = ~((lower - 97) >> 31 | (102 - lower) >> 31)
        return isNumber & (byte - 48) | isLetter & (lower - 87) | ~(isNumber | isLetter)
    }
}
