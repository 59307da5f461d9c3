import VaultCrypto

/// Encrypts a secret before it is split: four rounds of a Feistel network over PBKDF2 (RFC 8018) with HMAC-SHA256.
///
/// All shares made here have an empty passphrase. Then the encryption protects nothing: only the sharing does.
struct ShareCipher {
    private let header: ShareHeader
    private static let rounds: [UInt8] = [0, 1, 2, 3]
    private static let iterations = 2_500

    init(_ header: ShareHeader) { self.header = header }

    /// Encrypts the secret for sharing.
    func encrypt(
        _ secret: borrowing SecretBytes,
        passphrase: borrowing some ByteSource & ~Copyable
    ) throws(ShareError) -> SecretBytes {
        try run(secret, Self.rounds, passphrase)
    }

    /// Decrypts the combined secret.
    func decrypt(
        _ encrypted: borrowing SecretBytes,
        passphrase: borrowing some ByteSource & ~Copyable
    ) throws(ShareError) -> SecretBytes {
        try run(encrypted, Self.rounds.reversed(), passphrase)
    }

    private func run(
        _ whole: borrowing SecretBytes,
        _ rounds: [UInt8],
        _ passphrase: borrowing some ByteSource & ~Copyable
    ) throws(ShareError) -> SecretBytes {
        do throws(CryptoError) {
            let half = whole.count / 2
            var left = try whole.slice(0..<half)
            var right = try whole.slice(half..<2 * half)
            for round in rounds {
                try add(try SecretBytes.joined([round], passphrase), right, to: &left)
                swap(&left, &right)
            }
            return try SecretBytes.joined(right, left)
        } catch {
            throw ShareError(error)
        }
    }

    /// Adds the PBKDF2 output for one half to the other half; a half has at most one block.
    private func add(
        _ password: borrowing SecretBytes,
        _ half: borrowing SecretBytes,
        to other: inout SecretBytes
    ) throws(CryptoError) {
        let prefix =
            header.isExtendable
            ? [] : Array("shamir".utf8) + [UInt8(header.identifier >> 8), UInt8(header.identifier & 0xFF)]
        let salt = try SecretBytes.joined(prefix, half)
        var block = HMACSHA256.tag(try SecretBytes.joined(salt, [0, 0, 0, 1]), key: password)
        Self.add(block, to: &other)
        for _ in 1..<Self.iterations << header.iterationExponent {
            var next = HMACSHA256.tag(block, key: password)
            Self.add(next, to: &other)
            swap(&block, &next)
            next.wipe()
        }
        block.wipe()
    }

    private static func add(_ block: [UInt8], to other: inout SecretBytes) {
        other.withMutableBytes { bytes in
            for index in 0..<min(bytes.byteCount, block.count) {
                let sum = bytes.bytes.byte(at: index) ^ block[index]
                bytes.storeBytes(of: sum, toByteOffset: index, as: UInt8.self)
            }
        }
    }
}
