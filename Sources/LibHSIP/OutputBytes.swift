internal import CHSIP
internal import VaultCrypto

/// What is handed over in an `hsip_bytes`, and taken back.
enum OutputBytes {
    /// Says that there is nothing, before anything is done.
    static func clear(_ target: UnsafeMutablePointer<hsip_bytes>?) {
        guard let target = unsafe target else { return }
        unsafe target.pointee = hsip_bytes(data: nil, size: 0)
    }

    /// Hands over a copy.
    ///
    /// - Throws: `CryptoError.outOfMemory`; then nothing was handed over.
    static func give(
        _ bytes: borrowing some ByteSource & ~Copyable,
        to target: UnsafeMutablePointer<hsip_bytes>?
    ) throws(CryptoError) {
        guard let target = unsafe target else { return }
        unsafe target.pointee = hsip_bytes(data: try CallerMemory.copy(bytes), size: bytes.count)
    }

    /// Wipes and frees.
    static func take(back target: UnsafeMutablePointer<hsip_bytes>) {
        guard let data = unsafe target.pointee.data else { return }
        unsafe CallerMemory.take(back: data)
        unsafe clear(target)
    }
}
