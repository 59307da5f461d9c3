internal import Crypto
internal import CryptoExtras

/// AES in CBC mode (NIST SP 800-38A section 6.2), whose text never leaves locked memory.
///
/// The mode is built here from single blocks, because CryptoExtras copies the text into ordinary memory and does not wipe
/// it. The mode does not authenticate.
public enum AESCBC {
    /// Bytes in a block, and in an initialisation vector.
    public static let blockSize = 16

    /// Encrypts whole blocks.
    ///
    /// - Parameters:
    ///   - text: The plaintext, a multiple of 16 bytes.
    ///   - key: The key, 16, 24 or 32 bytes.
    ///   - iv: The initialisation vector, 16 bytes.
    /// - Returns: The ciphertext, which is as long as the text.
    /// - Throws: `CryptoError.wrongSize`; `outOfMemory`.
    public static func encrypt(
        _ text: borrowing some ByteSource & ~Copyable,
        key: borrowing some ByteSource & ~Copyable,
        iv: [UInt8]
    ) throws(SecretMemory.CryptoError) -> SecretBytes {
        var blocks = try SecretBytes(copying: text)
        unsafe try each(0..<blocks.count / blockSize, of: &blocks, key, iv) { bytes, start, key in
            unsafe combine(bytes, start, iv)
            var block = unsafe UnsafeMutableBufferPointer(rebasing: bytes[start..<start + blockSize])
            unsafe try AES.permute(&block, key: key)
        }
        return blocks
    }

    /// Decrypts whole blocks; parameters and errors as for `encrypt`.
    public static func decrypt(
        _ text: borrowing some ByteSource & ~Copyable,
        key: borrowing some ByteSource & ~Copyable,
        iv: [UInt8]
    ) throws(SecretMemory.CryptoError) -> SecretBytes {
        var blocks = try SecretBytes(copying: text)
        // The last block comes first, because a block needs the ciphertext before it.
        unsafe try each((0..<blocks.count / blockSize).reversed(), of: &blocks, key, iv) {
            bytes,
            start,
            key in
            var block = unsafe UnsafeMutableBufferPointer(rebasing: bytes[start..<start + blockSize])
            unsafe try AES.inversePermute(&block, key: key)
            unsafe combine(bytes, start, iv)
        }
        return blocks
    }

    /// Encrypts bytes with PKCS#7 padding (RFC 5652 section 6.3), which adds 1 to 16 bytes.
    ///
    /// - Throws: The errors of `encrypt`.
    public static func encryptPadded(
        _ text: borrowing some ByteSource & ~Copyable,
        key: borrowing some ByteSource & ~Copyable,
        iv: [UInt8]
    ) throws(SecretMemory.CryptoError) -> SecretBytes {
        let padding = blockSize - text.count % blockSize
        let padded = try SecretBytes.joined(text, [UInt8](repeating: UInt8(padding), count: padding))
        return try encrypt(padded, key: key, iv: iv)
    }

    /// Decrypts bytes with PKCS#7 padding; a wrong padding needs the time of a right one.
    ///
    /// - Throws: `CryptoError.authenticationFailed` for a wrong padding; the errors of `decrypt`.
    public static func decryptPadded(
        _ text: borrowing some ByteSource & ~Copyable,
        key: borrowing some ByteSource & ~Copyable,
        iv: [UInt8]
    ) throws(SecretMemory.CryptoError) -> SecretBytes {
        guard text.count > 0 else { throw .wrongSize(expected: blockSize, found: 0) }
        let opened = try decrypt(text, key: key, iv: iv)
        guard let padding = opened.withBytes(padding) else { throw .authenticationFailed }
        return try opened.slice(0..<opened.count - padding)
    }

    /// Passes each block to `body`, in an order: all bytes, the offset of the block, and the key for CryptoExtras.
    private static func each(
        _ order: some Sequence<Int>,
        of blocks: inout SecretBytes,
        _ key: borrowing some ByteSource & ~Copyable,
        _ iv: [UInt8],
        _ body: (UnsafeMutableBufferPointer<UInt8>, Int, SymmetricKey) throws -> Void
    ) throws(SecretMemory.CryptoError) {
        try iv.require(blockSize)
        guard blocks.count.isMultiple(of: blockSize) else {
            throw .wrongSize(expected: (blocks.count / blockSize + 1) * blockSize, found: blocks.count)
        }
        guard [16, 24, 32].contains(key.count) else { throw .wrongSize(expected: 32, found: key.count) }
        let key = key.withBytes { span in unsafe span.withUnsafeBytes { unsafe SymmetricKey(data: $0) } }
        // CryptoExtras expands the key in a local variable.
        defer { CalledStack.wipe() }
        let isDone = blocks.withMutableBytes { span in
            unsafe span.withUnsafeMutableBytes { raw in
                let bytes = unsafe raw.bindMemory(to: UInt8.self)
                return (try? order.forEach { unsafe try body(bytes, $0 * blockSize, key) }) != nil
            }
        }
        // CryptoExtras refuses only wrong sizes, which were checked.
        guard isDone else { throw .outOfMemory }
    }

    /// XORs a block with the block before it, or the first block with the initialisation vector.
    private static func combine(_ bytes: UnsafeMutableBufferPointer<UInt8>, _ start: Int, _ iv: [UInt8]) {
        for place in 0..<blockSize {
            unsafe bytes[start + place] ^= start == 0 ? iv[place] : bytes[start - blockSize + place]
        }
    }

    /// The number of padding bytes at the end, found without a branch on their values; nil if the padding is wrong.
    private static func padding(_ bytes: RawSpan) -> Int? {
        let last = Int32(bytes.byte(at: bytes.byteCount - 1))
        // A difference below zero has its highest bit set.
        var fault = (last - 1) >> 31 | (Int32(blockSize) - last) >> 31
        for distance in 1...Int32(blockSize) {
            let byte = Int32(bytes.byte(at: bytes.byteCount - Int(distance)))
            fault |= (distance - 1 - last) >> 31 & (byte ^ last)
        }
        return fault == 0 ? Int(last) : nil
    }
}
