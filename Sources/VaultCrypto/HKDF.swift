internal import CSodium

/// Key derivation from non-uniform key material: HKDF with SHA-256 (RFC 5869), over libsodium's HMAC.
///
/// Extract first, then expand once for each purpose, with an `info` of its own.
public enum HKDF {
    /// The most bytes that one `expand` may return: 255 blocks (RFC 5869 section 2.3).
    public static let longestOutput = 255 * HMACSHA256.tagSize

    /// The pseudorandom key of some key material: 32 bytes.
    ///
    /// An empty salt counts as 32 zero bytes.
    ///
    /// - Throws: `CryptoError.outOfMemory`.
    public static func extract(
        salt: borrowing some ByteSource & ~Copyable,
        keyMaterial: borrowing some ByteSource & ~Copyable
    ) throws(CryptoError) -> SecretBytes {
        try Sodium.ready()
        var key = try SecretBytes(count: HMACSHA256.tagSize)
        unsafe key.withMutablePointer { target, _ in
            unsafe salt.withPointer { salt, saltCount in
                unsafe keyMaterial.withPointer { material, count in
                    var state = crypto_auth_hmacsha256_state()
                    unsafe crypto_auth_hmacsha256_init(&state, salt, saltCount)
                    unsafe crypto_auth_hmacsha256_update(&state, material, UInt64(count))
                    unsafe crypto_auth_hmacsha256_final(&state, target)
                    unsafe sodium_memzero(&state, MemoryLayout<crypto_auth_hmacsha256_state>.size)
                }
            }
        }
        return key
    }

    /// Derives `count` bytes of key from a pseudorandom key, for the purpose that `info` names.
    ///
    /// - Throws: `CryptoError.wrongSize` for a key shorter than 32 bytes or a count outside 1...8160;
    ///   `outOfMemory`.
    public static func expand(
        _ key: borrowing some ByteSource & ~Copyable,
        info: [UInt8],
        count: Int
    ) throws(CryptoError) -> SecretBytes {
        try Sodium.ready()
        let size = HMACSHA256.tagSize
        guard key.count >= size else { throw .wrongSize(expected: size, found: key.count) }
        try (1...longestOutput).require(count)
        // Whole blocks are written to the result, and T(n-1) is read from there.
        let blocks = (count + size - 1) / size
        var output = try SecretBytes(count: blocks * size)
        unsafe output.withMutablePointer { target, _ in
            unsafe key.withPointer { key, keyCount in
                unsafe info.withPointer { info, infoCount in
                    var state = crypto_auth_hmacsha256_state()
                    for index in 0..<blocks {
                        unsafe crypto_auth_hmacsha256_init(&state, key, keyCount)
                        if index > 0 {
                            unsafe crypto_auth_hmacsha256_update(
                                &state,
                                target + (index - 1) * size,
                                UInt64(size)
                            )
                        }
                        unsafe crypto_auth_hmacsha256_update(&state, info, UInt64(infoCount))
                        var number = UInt8(index + 1)
                        unsafe crypto_auth_hmacsha256_update(&state, &number, 1)
                        unsafe crypto_auth_hmacsha256_final(&state, target + index * size)
                    }
                    unsafe sodium_memzero(&state, MemoryLayout<crypto_auth_hmacsha256_state>.size)
                }
            }
        }
        return count == blocks * size ? output : try output.slice(0..<count)
    }
}

/// HMAC with SHA-256 (RFC 2104, RFC 4231).
public enum HMACSHA256 {
    /// Bytes in a tag.
    public static let tagSize = 32

    /// The tag of a message, 32 bytes; the key may have any length.
    ///
    /// Compare tags with `ConstantTime.equal`.
    public static func tag(
        _ message: borrowing some ByteSource & ~Copyable,
        key: borrowing some ByteSource & ~Copyable
    ) -> [UInt8] {
        Sodium.mustBeReady()
        return unsafe key.withPointer { key, keyCount in
            unsafe message.withPointer { bytes, count in
                unsafe Array(count: tagSize) { tag in
                    var state = crypto_auth_hmacsha256_state()
                    unsafe crypto_auth_hmacsha256_init(&state, key, keyCount)
                    unsafe crypto_auth_hmacsha256_update(&state, bytes, UInt64(count))
                    unsafe crypto_auth_hmacsha256_final(&state, tag)
                    unsafe sodium_memzero(&state, MemoryLayout<crypto_auth_hmacsha256_state>.size)
                }
            }
        }
    }
}

/// Numbered subkeys of one master key (`crypto_kdf_derive_from_key`, BLAKE2b).
public enum KeyDerivation {
    /// Bytes in a master key.
    public static let keySize = 32
    /// Output sizes in bytes.
    public static let outputSizes = 16...64
    /// ASCII characters in a context.
    public static let contextSize = 8

    /// Derives subkey `index` of a 32-byte master key, for the use that an eight-character ASCII context names.
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
