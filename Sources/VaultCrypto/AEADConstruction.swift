internal import CSodium

/// The two ChaCha20-Poly1305 constructions of libsodium, which differ only in the size of the nonce.
enum AEADConstruction {
    /// RFC 8439, 12-byte nonce.
    case ietf
    /// draft-irtf-cfrg-xchacha-03, 24-byte nonce.
    case extended

    static let keySize = 32
    static let tagSize = 16

    var nonceSize: Int {
        switch self {
        case .ietf: 12
        case .extended: 24
        }
    }

    @inline(__always)
    func seal(
        _ plaintext: borrowing some ByteSource & ~Copyable,
        key: borrowing some ByteSource & ~Copyable,
        nonce: borrowing some ByteSource & ~Copyable,
        authenticating data: borrowing some ByteSource & ~Copyable
    ) throws(CryptoError) -> (ciphertext: [UInt8], tag: [UInt8]) {
        try Sodium.ready()
        try key.require(Self.keySize)
        try nonce.require(nonceSize)
        var tag = [UInt8](repeating: 0, count: Self.tagSize)
        let ciphertext = unsafe plaintext.withPointer { message, count in
            unsafe key.withPointer { key, _ in
                unsafe nonce.withPointer { nonce, _ in
                    unsafe data.withPointer { data, dataCount in
                        unsafe Array(count: count) { target in
                            switch self {
                            case .ietf:
                                unsafe crypto_aead_chacha20poly1305_ietf_encrypt_detached(
                                    target,
                                    &tag,
                                    nil,
                                    message,
                                    UInt64(count),
                                    data,
                                    UInt64(dataCount),
                                    nil,
                                    nonce,
                                    key
                                )
                            case .extended:
                                unsafe crypto_aead_xchacha20poly1305_ietf_encrypt_detached(
                                    target,
                                    &tag,
                                    nil,
                                    message,
                                    UInt64(count),
                                    data,
                                    UInt64(dataCount),
                                    nil,
                                    nonce,
                                    key
                                )
                            }
                        }
                    }
                }
            }
        }
        return (ciphertext, tag)
    }

    @inline(__always)
    func open(
        _ ciphertext: borrowing some ByteSource & ~Copyable,
        tag: borrowing some ByteSource & ~Copyable,
        key: borrowing some ByteSource & ~Copyable,
        nonce: borrowing some ByteSource & ~Copyable,
        authenticating data: borrowing some ByteSource & ~Copyable,
        into output: inout MutableRawSpan
    ) throws(CryptoError) {
        let expected = nonceSize
        try unsafe output.withPointer { target, room throws(CryptoError) in
            // Zero before anything can be refused: a caller who ignores the error reads zeros.
            unsafe sodium_memzero(target, room)
            try Sodium.ready()
            try key.require(Self.keySize)
            try nonce.require(expected)
            try tag.require(Self.tagSize)
            guard room == ciphertext.count else {
                throw CryptoError.wrongSize(expected: ciphertext.count, found: room)
            }
            let result = unsafe ciphertext.withPointer { bytes, count in
                unsafe tag.withPointer { tag, _ in
                    unsafe key.withPointer { key, _ in
                        unsafe nonce.withPointer { nonce, _ in
                            unsafe data.withPointer { data, dataCount in
                                switch self {
                                case .ietf:
                                    unsafe crypto_aead_chacha20poly1305_ietf_decrypt_detached(
                                        target,
                                        nil,
                                        bytes,
                                        UInt64(count),
                                        tag,
                                        data,
                                        UInt64(dataCount),
                                        nonce,
                                        key
                                    )
                                case .extended:
                                    unsafe crypto_aead_xchacha20poly1305_ietf_decrypt_detached(
                                        target,
                                        nil,
                                        bytes,
                                        UInt64(count),
                                        tag,
                                        data,
                                        UInt64(dataCount),
                                        nonce,
                                        key
                                    )
                                }
                            }
                        }
                    }
                }
            }
            guard result == 0 else {
                unsafe sodium_memzero(target, room)
                throw CryptoError.authenticationFailed
            }
        }
    }
}
