package import VaultCrypto

/// One share of a secret: a header, and values in locked memory.
package struct Share: Sendable {
    /// The header of the share.
    package let header: ShareHeader
    /// The values; the secret has equally many bytes.
    package let value: Secret

    init(_ header: ShareHeader, _ value: Secret) {
        self.header = header
        self.value = value
    }

    /// Reads the words of a share.
    ///
    /// - Throws: `ShareError.shareWrong`; `outOfMemory`.
    init(_ words: borrowing ShareWords) throws(ShareError) {
        guard (ShareWords.minimum...ShareWords.maximum).contains(words.count) else {
            throw .shareWrong(.wordCount(words.count))
        }
        let header = ShareHeader(words)
        guard ShareChecksum.remainder(words, isExtendable: header.isExtendable) == 1 else {
            throw .shareWrong(.checksum)
        }
        // Zero bits fill the value up to whole words, and a value has an even number of bytes.
        let bits = 10 * (words.count - ShareHeader.size - ShareChecksum.size)
        let padding = bits % 16
        let start = 10 * ShareHeader.size
        let filled = (start..<start + padding).reduce(UInt32(0)) { $0 | words.bit(at: $1) }
        guard padding <= 8, filled == 0, header.groupThreshold <= header.groupCount else {
            throw .shareWrong(.content)
        }
        let value: SecretBytes
        do throws(CryptoError) {
            value = try SecretBytes(count: (bits - padding) / 8) { bytes in
                for index in 0..<bytes.byteCount {
                    let first = start + padding + 8 * index
                    let byte = (first..<first + 8).reduce(UInt32(0)) { $0 << 1 | words.bit(at: $1) }
                    bytes.storeBytes(
                        of: UInt8(truncatingIfNeeded: byte),
                        toByteOffset: index,
                        as: UInt8.self
                    )
                }
            }
        } catch {
            throw ShareError(error)
        }
        self.init(header, Secret(value))
    }

    /// The words of the share.
    ///
    /// - Throws: `ShareError.outOfMemory`.
    func words() throws(ShareError) -> ShareWords {
        let middle = (8 * value.count + 9) / 10
        var words = try ShareWords(count: ShareHeader.size + middle + ShareChecksum.size)
        header.write(to: &words)
        let start = 10 * (ShareHeader.size + middle) - 8 * value.count
        value.withBytes { bytes in
            for index in 0..<8 * bytes.byteCount {
                let bit = UInt32(bytes.byte(at: index / 8)) >> UInt32(7 - index % 8) & 1
                words.add(bit, at: start + index)
            }
        }
        ShareChecksum.complete(&words, isExtendable: header.isExtendable)
        return words
    }
}

extension Share {
    /// The most shares of one secret.
    package static let maximumCount = 16
    /// The x coordinates of the secret, and of the proof that verifies it.
    static let (secretPlace, proofPlace): (UInt8, UInt8) = (255, 254)
    /// Bytes of the digest at the beginning of the proof; random bytes follow.
    static let digestSize = 4

    /// Splits a secret into shares; any `threshold` of them restore it, and fewer reveal nothing about it.
    ///
    /// The function draws randomness in this order: the identifier, the first `threshold` − 2 shares, the random part of the
    /// proof.
    ///
    /// - Parameters:
    ///   - secret: 16 to 64 bytes, an even number.
    ///   - threshold: 2...count, or 1 for a single share.
    ///   - count: Up to 16.
    ///   - entropy: The source of randomness.
    /// - Returns: The shares, in the order of their numbers.
    /// - Throws: `ShareError.badParameters`, `outOfMemory`.
    package static func split(
        _ secret: borrowing SecretBytes,
        threshold: Int,
        count: Int,
        entropy: Entropy = .system
    ) throws(ShareError) -> [Share] {
        guard (1...maximumCount).contains(count), (1...count).contains(threshold),
            threshold > 1 || count == 1,
            (16...64).contains(secret.count), secret.count.isMultiple(of: 2)
        else { throw .badParameters }
        let random = entropy.bytes(2)
        let identifier = UInt16(random[0]) << 8 | UInt16(random[1])
        func header(_ member: Int) -> ShareHeader {
            ShareHeader(identifier: identifier, member: member, threshold: threshold)
        }
        let encrypted = try ShareCipher(header(0)).encrypt(secret, passphrase: [UInt8]())
        guard threshold > 1 else { return [Share(header(0), Secret(encrypted))] }
        let polynomial = try polynomial(through: encrypted, threshold, entropy)
        var shares: [Share] = []
        for member in 0..<count {
            if member < threshold - 2 {
                shares.append(Share(header(member), polynomial.points[member].values))
            } else {
                let values = try polynomial.values(at: UInt8(member))
                shares.append(Share(header(member), Secret(values)))
            }
        }
        return shares
    }

    /// Makes the polynomial through the random shares, the proof and the secret.
    private static func polynomial(
        through secret: consuming SecretBytes,
        _ threshold: Int,
        _ entropy: Entropy
    ) throws(ShareError) -> Polynomial {
        do throws(CryptoError) {
            let size = secret.count
            var points: [Polynomial.Point] = []
            for member in 0..<threshold - 2 {
                points.append(.init(place: UInt8(member), values: Secret(try entropy.secret(size))))
            }
            let random = try entropy.secret(size - digestSize)
            let proof = try SecretBytes.joined(try digest(secret, random), random)
            points.append(.init(place: proofPlace, values: Secret(proof)))
            points.append(.init(place: secretPlace, values: Secret(secret)))
            return Polynomial(points: points)
        } catch {
            throw ShareError(error)
        }
    }

    /// The first bytes of the HMAC-SHA256 of a shared secret, with the random part of its proof as the key.
    static func digest(
        _ secret: borrowing SecretBytes,
        _ random: borrowing SecretBytes
    ) throws(CryptoError) -> SecretBytes {
        var tag = HMACSHA256.tag(secret, key: random)
        defer { tag.wipe() }
        return try SecretBytes(copying: tag[..<digestSize])
    }
}

/// The checksum of a share: a Reed-Solomon code over numbers of ten bits, which finds every error in up to three words.
///
/// The computation needs equally long for all words.
enum ShareChecksum {
    /// The number of words in the checksum.
    static let size = 3

    private static let generator: [UInt32] = [
        0x00E0_E040, 0x01C1_C080, 0x0383_8100, 0x0707_0200, 0x0E0E_0009,
        0x1C0C_2412, 0x3808_6C24, 0x3090_FC48, 0x21B1_F890, 0x03F3_F120,
    ]

    /// The remainder of the words after the text for the kind of share; 1 for an intact share.
    static func remainder(_ words: borrowing ShareWords, isExtendable: Bool) -> UInt32 {
        var check: UInt32 = 1
        for character in (isExtendable ? "shamir_extendable" : "shamir").utf8 {
            advance(&check, by: UInt32(character))
        }
        for index in 0..<words.count { advance(&check, by: words.number(at: index)) }
        return check
    }

    /// Writes the last three words, which must be zero before, so that the remainder becomes 1.
    static func complete(_ words: inout ShareWords, isExtendable: Bool) {
        let missing = remainder(words, isExtendable: isExtendable) ^ 1
        for index in 0..<size {
            let shift = UInt32(10 * (size - 1 - index))
            words.set(missing >> shift & 0x3FF, at: words.count - size + index)
        }
    }

    private static func advance(_ check: inout UInt32, by value: UInt32) {
        let top = check >> 20
        check = (check & 0xF_FFFF) << 10 ^ value
        for bit in 0..<10 { check ^= generator[bit] & (0 &- (top >> UInt32(bit) & 1)) }
    }
}
