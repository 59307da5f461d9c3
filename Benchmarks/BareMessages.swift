internal import CSodium
internal import VaultCrypto

/// What sealing and opening a message costs in libsodium alone: the same calls, one after the other, in memory
/// that is there already.
///
/// Sealing: 16 random bytes, SHA-256 of the text, HMAC-SHA-256 for the nonce, ChaCha20-Poly1305, base64.
/// Opening: base64, ChaCha20-Poly1305. No checks of sizes, headers or UTF-8. libsodium's base64 is made for
/// secrets and slow, so there is a second, harder peer that takes the tables of this library.
@safe final class BareMessages {
    private static let header = 61
    private static let lockSize = 4

    private let count: Int
    private let text: UnsafeMutablePointer<UInt8>
    private let key: UnsafeMutablePointer<UInt8>
    private let nonceInput: UnsafeMutablePointer<UInt8>
    private let data: UnsafeMutablePointer<UInt8>
    private let envelope: UnsafeMutablePointer<UInt8>
    private let output: UnsafeMutablePointer<UInt8>
    private let encoded: UnsafeMutablePointer<CChar>
    private let encodedSize: Int
    private let usesTables: Bool
    private var table: [UInt8] = []
    private var counter: UInt32 = 0

    init(text bytes: [UInt8], usesTables: Bool) throws {
        self.usesTables = usesTables
        guard sodium_init() >= 0 else { throw BenchmarkError.sodium }
        count = bytes.count
        encodedSize = sodium_base64_encoded_len(
            Self.header + count,
            Int32(sodium_base64_VARIANT_ORIGINAL)
        )
        unsafe text = Self.memory(count)
        unsafe key = Self.memory(32)
        unsafe nonceInput = Self.memory(52)
        unsafe data = Self.memory(16)
        unsafe envelope = Self.memory(Self.header + count)
        unsafe output = Self.memory(count)
        unsafe encoded = .allocate(capacity: Self.lockSize + encodedSize)
        for (index, byte) in bytes.enumerated() { unsafe text[index] = byte }
        unsafe randombytes_buf(key, 32)
        unsafe envelope[0] = 1
    }

    private static func memory(_ count: Int) -> UnsafeMutablePointer<UInt8> {
        let fresh = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, count))
        unsafe fresh.initialize(repeating: 0, count: max(1, count))
        return unsafe fresh
    }

    deinit {
        unsafe text.deallocate()
        unsafe key.deallocate()
        unsafe nonceInput.deallocate()
        unsafe data.deallocate()
        unsafe envelope.deallocate()
        unsafe output.deallocate()
        unsafe encoded.deallocate()
    }

    /// Seals the text once; the result stays for `open`.
    func seal() {
        counter &+= 1
        unsafe randombytes_buf(nonceInput, 16)
        for index in 0..<4 {
            unsafe nonceInput[16 + index] = UInt8(truncatingIfNeeded: counter >> UInt32(24 - 8 * index))
        }
        unsafe crypto_hash_sha256(nonceInput + 20, text, UInt64(count))
        var state = crypto_auth_hmacsha256_state()
        unsafe crypto_auth_hmacsha256_init(&state, key, 32)
        unsafe crypto_auth_hmacsha256_update(&state, nonceInput, 52)
        unsafe crypto_auth_hmacsha256_final(&state, envelope + 33)
        unsafe crypto_aead_chacha20poly1305_ietf_encrypt_detached(
            envelope + Self.header,
            envelope + 45,
            nil,
            text,
            UInt64(count),
            data,
            16,
            nil,
            envelope + 33,
            key
        )
        if usesTables {
            table = unsafe StrictBase64.encodedBytes(
                Array(UnsafeBufferPointer(start: envelope, count: Self.header + count))
            )
            return
        }
        unsafe sodium_bin2base64(
            encoded + Self.lockSize,
            encodedSize,
            envelope,
            Self.header + count,
            Int32(sodium_base64_VARIANT_ORIGINAL)
        )
    }

    /// Opens what was sealed last.
    func open() throws {
        if usesTables {
            guard let bytes = StrictBase64.decode(table) else { throw BenchmarkError.sodium }
            unsafe bytes.withUnsafeBufferPointer { source in
                guard let start = source.baseAddress else { return }
                unsafe envelope.update(from: start, count: source.count)
            }
        } else {
            try decode()
        }
        let isOpened = unsafe crypto_aead_chacha20poly1305_ietf_decrypt_detached(
            output,
            nil,
            envelope + Self.header,
            UInt64(count),
            envelope + 45,
            data,
            16,
            envelope + 33,
            key
        )
        guard isOpened == 0 else { throw BenchmarkError.sodium }
    }

    private func decode() throws {
        var size = 0
        let isDecoded = unsafe sodium_base642bin(
            envelope,
            Self.header + count,
            encoded + Self.lockSize,
            encodedSize - 1,
            nil,
            &size,
            nil,
            Int32(sodium_base64_VARIANT_ORIGINAL)
        )
        guard isDecoded == 0 else { throw BenchmarkError.sodium }
    }
}
