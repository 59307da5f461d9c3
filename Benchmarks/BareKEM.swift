internal import CMLKEM
internal import VaultCrypto

/// BoringSSL's ML-KEM-768 and nothing else: in memory that stays, neither locked nor wiped.
final class BareKEM {
    private var privateKey = [UInt8](repeating: 0, count: Int(hsip_mlkem_private_size))
    private var parsed = [UInt8](repeating: 0, count: Int(hsip_mlkem_public_size))
    private var publicKey = [UInt8](repeating: 0, count: MLKEM768.publicKeySize)
    private var ciphertext = [UInt8](repeating: 0, count: MLKEM768.ciphertextSize)
    private var secret = [UInt8](repeating: 0, count: MLKEM768.secretSize)
    private let random = [UInt8](repeating: 5, count: MLKEM768.secretSize)
    private let seed: [UInt8]

    /// With the seed of the key pair: on it depends how often its sampling repeats.
    init(seed: [UInt8]) throws {
        self.seed = seed
        makeKeyPair()
        try encapsulate()
    }

    func makeKeyPair() {
        _ = unsafe CCryptoBoringSSL_BCM_mlkem768_generate_key_external_seed(&publicKey, &privateKey, seed)
    }

    /// Reads the public key, as every sender must, and makes a secret for it.
    func encapsulate() throws {
        let isGood = unsafe publicKey.withUnsafeBufferPointer { encoded in
            var input = unsafe hsip_mlkem_input(data: encoded.baseAddress, count: encoded.count)
            return unsafe CCryptoBoringSSL_MLKEM768_parse_public_key(&parsed, &input) == 1
        }
        guard isGood else { throw BenchmarkError.kem }
        _ = unsafe CCryptoBoringSSL_BCM_mlkem768_encap_external_entropy(&ciphertext, &secret, parsed, random)
    }

    /// Makes the private key from its seed, which is all that is kept, and opens the ciphertext.
    func decapsulate() throws {
        let isDone =
            unsafe CCryptoBoringSSL_MLKEM768_private_key_from_seed(&privateKey, seed, seed.count) == 1
            && CCryptoBoringSSL_MLKEM768_decap(&secret, ciphertext, ciphertext.count, privateKey) == 1
        guard isDone else { throw BenchmarkError.kem }
    }
}
