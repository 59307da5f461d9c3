internal import Crypto
internal import CryptoExtras
internal import FoundationEssentials
internal import VaultCrypto

extension KeyFileCipher {
    /// Returns the encrypted text and the tag; the tag is empty if the cipher has none.
    ///
    /// `material` is the key followed by the initialisation vector, as derived from the passphrase.
    func encrypt(
        _ text: borrowing SecretBytes,
        with material: borrowing SecretBytes
    ) throws(SSHFormatError) -> (body: Secret, tag: [UInt8]) {
        switch self {
        case .none:
            return (Secret(try copy(text)), [])
        case .chacha20Poly1305:
            let body = try chacha(text, material, block: 1)
            let tag = try poly1305(body, material)
            return (Secret(body), tag)
        case .aes128GCM, .aes256GCM:
            var box = try unsafe text.lending(or: .malformed) { text in
                let nonce = try AES.GCM.Nonce(data: beginning(material))
                let box = unsafe try AES.GCM.seal(text, using: key(material), nonce: nonce)
                return (body: box.ciphertext, tag: Array(box.tag))
            }
            return (Secret(try SecretBytes.taking(&box.body)), box.tag)
        case .aes128CBC, .aes192CBC, .aes256CBC:
            let key = try keyBytes(material)
            let iv = beginning(material)
            let body = try translating { () throws(PrimitiveError) in
                try AESCBC.encrypt(text, key: key, iv: iv)
            }
            return (Secret(body), [])
        case .aes128CTR, .aes192CTR, .aes256CTR:
            return (Secret(try counter(text, material)), [])
        }
    }

    /// Decrypts a body.
    ///
    /// - Throws: `SSHFormatError.wrongPassphrase` if the tag is wrong.
    func decrypt(
        _ body: borrowing some ByteSource & ~Copyable,
        tag: [UInt8],
        with material: borrowing SecretBytes
    ) throws(SSHFormatError) -> SecretBytes {
        switch self {
        case .none:
            return try copy(body)
        case .chacha20Poly1305:
            guard ConstantTime.equal(try poly1305(body, material), tag) else { throw .wrongPassphrase }
            return try chacha(body, material, block: 1)
        case .aes128GCM, .aes256GCM:
            var text = try unsafe body.lending(or: .wrongPassphrase) { body in
                let nonce = try AES.GCM.Nonce(data: beginning(material))
                let box = unsafe try AES.GCM.SealedBox(nonce: nonce, ciphertext: body, tag: tag)
                return try AES.GCM.open(box, using: key(material))
            }
            return try SecretBytes.taking(&text)
        case .aes128CBC, .aes192CBC, .aes256CBC:
            let key = try keyBytes(material)
            let iv = beginning(material)
            return try translating { () throws(PrimitiveError) in
                try AESCBC.decrypt(body, key: key, iv: iv)
            }
        case .aes128CTR, .aes192CTR, .aes256CTR:
            return try counter(body, material)
        }
    }

    /// Encrypts or decrypts with AES in counter mode.
    private func counter(
        _ text: borrowing some ByteSource & ~Copyable,
        _ material: borrowing SecretBytes
    ) throws(SSHFormatError) -> SecretBytes {
        let (key, iv) = (key(material), beginning(material))
        var output = try unsafe text.lending(or: .malformed) { text in
            unsafe try AES._CTR.encrypt(text, using: key, nonce: AES._CTR.Nonce(nonceBytes: iv))
        }
        return try SecretBytes.taking(&output)
    }

    private func keyBytes(_ material: borrowing SecretBytes) throws(SSHFormatError) -> SecretBytes {
        try translating { () throws(PrimitiveError) in try material.slice(0..<keySize) }
    }

    private func key(_ material: borrowing SecretBytes) -> SymmetricKey {
        material.withBytes { span in
            unsafe span.extracting(0..<keySize).withUnsafeBytes { unsafe SymmetricKey(data: $0) }
        }
    }

    private func beginning(_ material: borrowing SecretBytes) -> [UInt8] {
        material.withBytes { $0.extracting(keySize..<keySize + ivSize).copied() }
    }

    /// OpenSSH's construction with sequence number zero: block 0 of the stream is the key of the tag.
    private func poly1305(
        _ body: borrowing some ByteSource & ~Copyable,
        _ material: borrowing SecretBytes
    ) throws(SSHFormatError) -> [UInt8] {
        let zeros = [UInt8](repeating: 0, count: Poly1305.keySize)
        let key = try chacha(zeros, material, block: 0)
        return try translating { () throws(PrimitiveError) in try Poly1305.tag(body, key: key) }
    }

    private func chacha(
        _ text: borrowing some ByteSource & ~Copyable,
        _ material: borrowing SecretBytes,
        block: UInt64
    ) throws(SSHFormatError) -> SecretBytes {
        let nonce = [UInt8](repeating: 0, count: ChaCha20.nonceSize)
        let key = try translating { () throws(PrimitiveError) in try material.slice(0..<ChaCha20.keySize) }
        return try translating { () throws(PrimitiveError) in
            try ChaCha20.xor(text, key: key, nonce: nonce, block: block)
        }
    }

    private func copy(_ bytes: borrowing some ByteSource & ~Copyable) throws(SSHFormatError) -> SecretBytes {
        try translating { () throws(PrimitiveError) in try SecretBytes(copying: bytes) }
    }
}
