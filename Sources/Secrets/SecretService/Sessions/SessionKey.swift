internal import Crypto
internal import CryptoExtras
package import VaultCrypto

/// The key of an encrypted session: AES-128 in CBC mode with PKCS#7 padding, as the Secret Service names it.
///
/// Values do not leave locked memory: the mode is composed here over single blocks, because CryptoExtras gives its
/// results in ordinary memory. Nothing authenticates what the client sends: a changed value opens as another one, or
/// not at all.
package struct SessionKey: Sendable {
    /// Bytes in a key.
    package static let size = 16
    /// Bytes in a block, and in an initialisation vector.
    package static let blockSize = 16

    private let key: Secret

    /// Takes over 16 bytes.
    init(_ key: Secret) { self.key = key }

    /// Encrypts a value; its length is no secret.
    ///
    /// - Parameters:
    ///   - value: up to 1 MiB.
    ///   - vector: 16 bytes that no other value under this key has had.
    /// - Returns: the vector and the ciphertext.
    /// - Throws: `ServiceError.outOfMemory`.
    func seal(
        _ value: borrowing some ByteSource & ~Copyable,
        vector: [UInt8]
    ) throws(ServiceError) -> SealedValue {
        let padding = Self.blockSize - value.count % Self.blockSize
        let tail = [UInt8](repeating: UInt8(padding), count: padding)
        do {
            var sealed = try SecretBytes.joined(value, tail)
            unsafe try each(0..<sealed.count / Self.blockSize, of: &sealed) { (bytes, start, key) in
                unsafe Self.combine(bytes, start, vector)
                var block = unsafe UnsafeMutableBufferPointer(rebasing: bytes[start..<start + Self.blockSize])
                unsafe try AES.permute(&block, key: key)
            }
            return SealedValue(parameters: vector, value: sealed)
        } catch {
            throw .outOfMemory
        }
    }

    /// Decrypts a value; a wrong padding costs the time of a right one.
    ///
    /// - Throws: `ServiceError.badParameters`; `valueTooLong`; `badValue`; `outOfMemory`.
    func open(_ sealed: borrowing SealedValue) throws(ServiceError) -> SecretBytes {
        let (vector, count) = (sealed.parameters, sealed.value.count)
        guard vector.count == Self.blockSize else { throw .badParameters }
        guard count <= SealedValue.longest + Self.blockSize else {
            throw .valueTooLong(limit: SealedValue.longest)
        }
        guard count > 0, count % Self.blockSize == 0 else { throw .badValue }
        do {
            var opened = try SecretBytes(copying: sealed.value)
            // From the last block to the first: what was sent before a block is still there then.
            unsafe try each((0..<count / Self.blockSize).reversed(), of: &opened) { (bytes, start, key) in
                var block = unsafe UnsafeMutableBufferPointer(rebasing: bytes[start..<start + Self.blockSize])
                unsafe try AES.inversePermute(&block, key: key)
                unsafe Self.combine(bytes, start, vector)
            }
            guard let padding = opened.withBytes(Self.padding) else { throw ServiceError.badValue }
            guard count - padding <= SealedValue.longest else {
                throw ServiceError.valueTooLong(limit: SealedValue.longest)
            }
            return try opened.slice(0..<count - padding)
        } catch {
            throw error as? ServiceError ?? .outOfMemory
        }
    }

    /// Goes through blocks in an order, with the place where each begins and the key as CryptoExtras wants it.
    private func each(
        _ blocks: some Sequence<Int>,
        of memory: inout SecretBytes,
        _ body: (UnsafeMutableBufferPointer<UInt8>, Int, SymmetricKey) throws -> Void
    ) throws {
        let key = key.withBytes { span in unsafe span.withUnsafeBytes { unsafe SymmetricKey(data: $0) } }
        // CryptoExtras expands the key in a local variable.
        defer { CalledStack.wipe() }
        try memory.withMutableBytes { span in
            try unsafe span.withUnsafeMutableBytes { raw in
                let bytes = unsafe raw.bindMemory(to: UInt8.self)
                for block in blocks { unsafe try body(bytes, block * Self.blockSize, key) }
            }
        }
    }

    /// Adds the block before it to a block, or the vector to the first one.
    private static func combine(_ bytes: UnsafeMutableBufferPointer<UInt8>, _ start: Int, _ vector: [UInt8]) {
        for place in 0..<blockSize {
            unsafe bytes[start + place] ^= start == 0 ? vector[place] : bytes[start - blockSize + place]
        }
    }

    /// How many bytes at the end are padding; nil if it is wrong, found without a branch on a byte of it.
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
