/// The recovery code of a vault as people write it: 28 characters of base32 in 7 groups of 4.
///
/// It has the 16 secret bytes and 12 check bits (Schemas/vault-file.md section 2), so that a typing error is not mistaken
/// for the code of another vault. The text is as secret as the bytes and stays in locked memory.
public enum RecoveryText {
    /// Bytes in the secret.
    public static let secretSize = 16
    /// Bytes in the text: 28 characters and 6 hyphens.
    public static let textSize = 34

    private static let characters = 28
    private static let label = Array("HSIP-VAULT/1 recovery-check\0".utf8)

    /// Encodes a 16-byte secret, as ASCII.
    ///
    /// - Throws: `CryptoError.wrongSize`, `outOfMemory`.
    public static func encode(
        _ secret: borrowing some ByteSource & ~Copyable
    ) throws(CryptoError) -> SecretBytes {
        try secret.require(secretSize)
        let number = try SecretBytes.joined(secret, try check(secret))
        return try SecretBytes(count: textSize) { output in
            number.withBytes { number in
                for index in 0..<characters {
                    // Four characters and a hyphen make a group of five bytes.
                    let place = index + index / 4
                    output.storeBytes(
                        of: CrockfordBase32.symbol(at: index, of: number, bits: characters * 5),
                        toByteOffset: place,
                        as: UInt8.self
                    )
                    if index % 4 == 3, index + 1 < characters {
                        output.storeBytes(of: 0x2D, toByteOffset: place + 1, as: UInt8.self)
                    }
                }
            }
        }
    }

    /// Decodes a text, typed with or without hyphens, blanks and capitals, into its 16 secret bytes.
    ///
    /// - Throws: `CryptoError.malformedText` unless it is 28 characters of the alphabet; `checkFailed` if the check bits show
    ///   that it was mistyped (all but 1 in 4096 errors); `outOfMemory`.
    public static func decode(
        _ text: borrowing some ByteSource & ~Copyable
    ) throws(CryptoError) -> SecretBytes {
        var number = try SecretBytes(count: secretSize + 2)
        try number.withMutableBytes { output throws(CryptoError) in
            try text.withBytes { text throws(CryptoError) in
                try CrockfordBase32.decode(text, characters: characters, into: &output)
            }
        }
        let secret = try number.slice(0..<secretSize)
        let found = try number.slice(secretSize..<secretSize + 2)
        guard ConstantTime.equal(found, try check(secret)) else { throw .checkFailed }
        return secret
    }

    /// The 12 check bits, left-aligned in two bytes.
    private static func check(
        _ secret: borrowing some ByteSource & ~Copyable
    ) throws(CryptoError) -> SecretBytes {
        let message = try SecretBytes.joined(label, secret)
        let digest = try KeyedHash.secretBlake2b(message, key: [UInt8](), count: 32)
        return try SecretBytes(count: 2) { output in
            digest.withBytes { digest in
                output.storeBytes(of: digest.byte(at: 0), toByteOffset: 0, as: UInt8.self)
                output.storeBytes(of: digest.byte(at: 1) & 0xF0, toByteOffset: 1, as: UInt8.self)
            }
        }
    }
}
