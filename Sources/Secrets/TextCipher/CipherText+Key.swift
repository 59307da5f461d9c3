internal import Crypto
internal import CryptoExtras
internal import FoundationEssentials
internal import Text
public import VaultCrypto

extension CipherText {
    /// Rounds of PBKDF2-HMAC-SHA256: the number that other programs use for such texts, which is low today.
    public static let rounds = 100_000

    /// Encrypts a text under a typed key.
    ///
    /// - Parameters:
    ///   - plaintext: UTF-8, up to 1 MiB.
    ///   - algorithm: The encryption; only `gcm` reliably detects a change.
    ///   - key: The typed text in UTF-8; only `rounds` rounds slow down guesses.
    ///   - entropy: The source of the salt and the initialisation vector.
    /// - Returns: The encrypted text with its salt and its initialisation vector.
    /// - Throws: `notText`, `tooLong`, `emptyKey`, `outOfMemory`.
    public static func seal(
        _ plaintext: borrowing some ByteSource & ~Copyable,
        as algorithm: TextAlgorithm,
        key: borrowing some ByteSource & ~Copyable,
        entropy: Entropy = .system
    ) throws(TextCipherError) -> CipherText {
        guard plaintext.count <= longestPlaintext else { throw .tooLong }
        guard UTF8Reader.isValid(plaintext) else { throw .notText }
        let salt = entropy.bytes(saltSize)
        let iv = entropy.bytes(algorithm.ivSize)
        let key = try derived(key, salt: salt)
        guard let sealed = try encrypted(plaintext, algorithm, key, iv) else { throw .outOfMemory }
        return CipherText(algorithm, salt: salt, iv: iv, ciphertext: sealed)
    }

    private static func encrypted(
        _ plaintext: borrowing some ByteSource & ~Copyable,
        _ algorithm: TextAlgorithm,
        _ key: SymmetricKey,
        _ iv: [UInt8]
    ) throws(TextCipherError) -> [UInt8]? {
        if algorithm == .cbc {
            return try inLockedMemory { () throws(VaultCrypto.CryptoError) in
                try AESCBC.encryptPadded(plaintext, key: bytes(of: key), iv: iv)
            }
            .withBytes { $0.copied() }
        }
        return plaintext.withBytes { span in
            unsafe span.withUnsafeBytes { text in
                guard algorithm == .gcm else {
                    guard let nonce = try? AES._CTR.Nonce(nonceBytes: iv) else { return nil }
                    return unsafe (try? AES._CTR.encrypt(text, using: key, nonce: nonce)).map { Array($0) }
                }
                guard let nonce = try? AES.GCM.Nonce(data: iv),
                    let box = unsafe try? AES.GCM.seal(text, using: key, nonce: nonce)
                else { return nil }
                return Array(box.ciphertext) + Array(box.tag)
            }
        }
    }

    /// Decrypts the text.
    ///
    /// A wrong key, a changed text, wrong padding and a result that is not UTF-8 all throw the same error.
    ///
    /// - Throws: `cannotOpen`, `emptyKey`, `outOfMemory`.
    public func open(key: borrowing some ByteSource & ~Copyable) throws(TextCipherError) -> SecretBytes {
        let key = try Self.derived(key, salt: salt)
        let text = try algorithm == .cbc ? openedBlocks(key) : opened(key)
        guard UTF8Reader.isValid(text) else { throw .cannotOpen }
        return text
    }

    private func openedBlocks(_ key: SymmetricKey) throws(TextCipherError) -> SecretBytes {
        try Self.inLockedMemory { () throws(VaultCrypto.CryptoError) in
            try AESCBC.decryptPadded(ciphertext, key: Self.bytes(of: key), iv: iv)
        }
    }

    private func opened(_ key: SymmetricKey) throws(TextCipherError) -> SecretBytes {
        guard var opened = decrypted(key) else { throw .cannotOpen }
        defer { unsafe opened.withUnsafeMutableBytes { unsafe $0.wipe() } }
        return try Self.inLockedMemory { () throws(VaultCrypto.CryptoError) in
            try SecretBytes(count: opened.count) { span throws(VaultCrypto.CryptoError) in
                unsafe span.withUnsafeMutableBytes { target in
                    unsafe opened.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
                }
            }
        }
    }

    private func decrypted(_ key: SymmetricKey) -> Data? {
        guard algorithm == .gcm else {
            guard let nonce = try? AES._CTR.Nonce(nonceBytes: iv) else { return nil }
            return try? AES._CTR.encrypt(ciphertext, using: key, nonce: nonce)
        }
        guard let nonce = try? AES.GCM.Nonce(data: iv),
            let box = try? AES.GCM.SealedBox(
                nonce: nonce,
                ciphertext: ciphertext.dropLast(16),
                tag: ciphertext.suffix(16)
            )
        else { return nil }
        return try? AES.GCM.open(box, using: key)
    }

    private static func inLockedMemory(
        _ body: () throws(VaultCrypto.CryptoError) -> SecretBytes
    ) throws(TextCipherError) -> SecretBytes {
        do throws(VaultCrypto.CryptoError) {
            return try body()
        } catch {
            throw error == .outOfMemory ? .outOfMemory : .cannotOpen
        }
    }

    private static func bytes(of key: SymmetricKey) throws(VaultCrypto.CryptoError) -> SecretBytes {
        try SecretBytes(count: key.bitCount / 8) { span throws(VaultCrypto.CryptoError) in
            unsafe span.withUnsafeMutableBytes { target in
                unsafe key.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
            }
        }
    }

    private static func derived(
        _ key: borrowing some ByteSource & ~Copyable,
        salt: [UInt8]
    ) throws(TextCipherError) -> SymmetricKey {
        guard key.count > 0 else { throw .emptyKey }
        let derived = key.withBytes { span in
            unsafe span.withUnsafeBytes { typed in
                unsafe try? KDF.Insecure.PBKDF2.deriveKey(
                    from: typed,
                    salt: salt,
                    using: .sha256,
                    outputByteCount: 32,
                    unsafeUncheckedRounds: rounds
                )
            }
        }
        guard let derived else { throw .outOfMemory }
        return derived
    }
}
