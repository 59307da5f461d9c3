internal import CSodium

/// Numbered subkeys of one master key (`crypto_kdf_derive_from_key`, BLAKE2b).
public enum KeyDerivation {
    /// Bytes in a master key.
    public static let keySize = 32
    /// Output sizes in bytes.
    public static let outputSizes = 16...64
    /// ASCII characters in a context.
    public static let contextSize = 8

    /// Subkey `index` of a 32-byte master key, for the use that an eight-character ASCII context names.
    ///
    /// - Throws: `CryptoError.wrongSize` for a key, context or count (16...64) of another size;
    ///   `outOfMemory`.
    public static func subkey(
        _ index: UInt64,
        context: String,
        of key: borrowing some ByteSource & ~Copyable,
        count: Int = 32
    ) throws(CryptoError) -> SecretBytes {
        try Sodium.ready()
        let label = Array(context.utf8)
        try label.require(contextSize)
        try key.require(keySize)
        try outputSizes.require(count)
        var output = try SecretBytes(count: count)
        unsafe output.withMutablePointer { target, count in
            unsafe key.withPointer { key, _ in
                unsafe label.withPointer { label, labelCount in
                    unsafe label.withMemoryRebound(to: CChar.self, capacity: labelCount) { label in
                        _ = unsafe crypto_kdf_derive_from_key(target, count, index, label, key)
                    }
                }
            }
        }
        return output
    }
}
