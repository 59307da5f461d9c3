internal import Crypto
internal import CryptoExtras
internal import FoundationEssentials
internal import Text
public import VaultCrypto

extension CipherText {
    /// Rounds of PBKDF2-HMAC-SHA256: what the texts of other programs have, and few by today's measure.
    public static let rounds = 100_000

    /// Encrypts a text under a typed key.
    ///
    /// - Parameters:
    ///   - plaintext: UTF-8, up to 1 MiB.
    ///   - algorithm: How it is encrypted; only `gcm` notices a change for certain.
    ///   - key: The UTF-8 of what was typed; its guesses are slowed down by no more than `rounds`.
    ///   - entropy: Makes the salt and the initialisation vector.
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
        let sealed: [UInt8]? = plaintext.withBytes { span in
            unsafe span.withUnsafeBytes { text in
                switch algorithm {
                case .gcm:
                    guard let nonce = try? AES.GCM.Nonce(data: iv),
                        let box = unsafe try? AES.GCM.seal(text, using: key, nonce: nonce)
                    else { return nil }
                    return Array(box.ciphertext) + Array(box.tag)
                case .cbc:
                    guard let iv = try? AES._CBC.IV(ivBytes: iv) else { return nil }
                    return unsafe (try? AES._CBC.encrypt(text, using: key, iv: iv)).map { Array($0) }
                case .ctr:
                    guard let nonce = try? AES._CTR.Nonce(nonceBytes: iv) else { return nil }
                    return unsafe (try? AES._CTR.encrypt(text, using: key, nonce: nonce)).map { Array($0) }
                }
            }
        }
        guard let sealed else { throw .outOfMemory }
        return CipherText(algorithm, salt: salt, iv: iv, ciphertext: sealed)
    }

    /// Decrypts it.
    ///
    /// Another key, a changed text, wrong padding and what comes out as no UTF-8 are one and the same refusal.
    ///
    /// - Throws: `cannotOpen`, `emptyKey`, `outOfMemory`.
    public func open(key: borrowing some ByteSource & ~Copyable) throws(TextCipherError) -> SecretBytes {
        let key = try Self.derived(key, salt: salt)
        guard var opened = decrypted(key) else { throw .cannotOpen }
        defer { unsafe opened.withUnsafeMutableBytes { unsafe $0.wipe() } }
        let text: SecretBytes
        do throws(VaultCrypto.CryptoError) {
            text = try SecretBytes(count: opened.count) { span throws(VaultCrypto.CryptoError) in
                unsafe span.withUnsafeMutableBytes { target in
                    unsafe opened.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
                }
            }
        } catch {
            throw .outOfMemory
        }
        guard UTF8Reader.isValid(text) else { throw .cannotOpen }
        return text
    }

    private func decrypted(_ key: SymmetricKey) -> Data? {
        switch algorithm {
        case .gcm:
            guard let nonce = try? AES.GCM.Nonce(data: iv),
                let box = try? AES.GCM.SealedBox(
                    nonce: nonce,
                    ciphertext: ciphertext.dropLast(16),
                    tag: ciphertext.suffix(16)
                )
            else { return nil }
            return try? AES.GCM.open(box, using: key)
        case .cbc:
            guard let iv = try? AES._CBC.IV(ivBytes: iv) else { return nil }
            return try? AES._CBC.decrypt(ciphertext, using: key, iv: iv)
        case .ctr:
            guard let nonce = try? AES._CTR.Nonce(nonceBytes: iv) else { return nil }
            return try? AES._CTR.encrypt(ciphertext, using: key, nonce: nonce)
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
