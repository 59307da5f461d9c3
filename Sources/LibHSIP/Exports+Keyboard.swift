internal import CHSIP
internal import Glibc
internal import HSIP
internal import Text
internal import VaultCrypto

// The calls of older HSIP programs (Schemas/messages.md, last section but one): raw keys, no vault.

/// Does nothing; see hsip.h.
@c @implementation
public func hsip_ios_init() -> Bool { true }

/// Seals a text with a raw key; see hsip.h.
@c @implementation
public func hsip_ios_encrypt(
    _ plaintext: UnsafePointer<CChar>?,
    _ key: UnsafePointer<UInt8>?,
    _ peer_id: UnsafePointer<UInt8>?
) -> UnsafeMutablePointer<CChar>? {
    guard let text = unsafe BorrowedBytes(text: plaintext), let key = unsafe key, let peer = unsafe peer_id,
        let key = unsafe BorrowedBytes(key, ChaCha20Poly1305.keySize),
        let sender = unsafe PeerID(bytes: Array(UnsafeBufferPointer(start: peer, count: 32)))
    else { return nil }
    // Such a key has no counter; the text and randomness make each nonce unique.
    guard let nonceKey = try? HedgedNonce.legacyKey(of: key) else { return nil }
    let nonce = HedgedNonce.make(
        nonceKey: nonceKey,
        random: Entropy.system.bytes(16),
        counter: 0,
        plaintext: text
    )
    guard
        let message = try? MessageCipher.sealCompact(text, key: key, sender: sender, nonce: nonce)
    else { return nil }
    return unsafe OutputText.copy(message)
}

/// Opens a message with a raw key; see hsip.h.
@c @implementation
public func hsip_ios_decrypt(
    _ encrypted: UnsafePointer<CChar>?,
    _ key: UnsafePointer<UInt8>?
) -> UnsafeMutablePointer<CChar>? {
    guard let text = unsafe BorrowedBytes(text: encrypted), let key = unsafe key,
        let key = unsafe BorrowedBytes(key, ChaCha20Poly1305.keySize), text.count <= MessageText.longestText,
        UTF8Reader.isValid(text),
        let envelope = try? MessageText.parse(text.withBytes { $0.copied() }),
        let opened = try? MessageCipher.open(envelope, key: key)
    else { return nil }
    // A zero byte would end the C string too early.
    guard opened.withBytes({ span in (0..<span.byteCount).allSatisfy { span.byte(at: $0) != 0 } }) else {
        return nil
    }
    return unsafe OutputText.copy(opened)
}

/// Whether a text looks like a message; see hsip.h.
@c @implementation
public func hsip_ios_contains_message(_ text: UnsafePointer<CChar>?) -> Bool {
    guard let text = unsafe BorrowedBytes(text: text), UTF8Reader.isValid(text) else { return false }
    return MessageText.hasMarker(text.withBytes { $0.copied() })
}

/// Wipes and frees; see hsip.h.
@c @implementation
public func hsip_ios_free_string(_ s: UnsafeMutablePointer<CChar>?) {
    guard let s = unsafe s else { return }
    unsafe OutputText.take(back: s)
}

/// Six emoji of two keys; see hsip.h.
@c @implementation
public func hsip_ios_get_emoji_fingerprint(
    _ ours: UnsafePointer<UInt8>?,
    _ theirs: UnsafePointer<UInt8>?
) -> UnsafeMutablePointer<CChar>? {
    guard let ours = unsafe ours, let theirs = unsafe theirs else { return nil }
    let one = unsafe Array(UnsafeBufferPointer(start: ours, count: 32))
    let other = unsafe Array(UnsafeBufferPointer(start: theirs, count: 32))
    guard let indices = try? Emoji.legacyFingerprint(one, other) else { return nil }
    return unsafe OutputText.copy(Array(Emoji.pictures(of: indices, separator: " ").utf8))
}

/// Texts that end with a zero byte, allocated with malloc, for the calls of older programs.
private enum OutputText {
    /// A copy for the caller; nil if memory is missing.
    static func copy(_ text: borrowing some ByteSource & ~Copyable) -> UnsafeMutablePointer<CChar>? {
        let count = text.count
        guard let memory = unsafe malloc(count + 1) else { return nil }
        text.withBytes { span in
            unsafe span.withUnsafeBytes { source in
                if let start = source.baseAddress { unsafe memcpy(memory, start, count) }
            }
        }
        let text = unsafe memory.assumingMemoryBound(to: CChar.self)
        unsafe text[count] = 0
        return unsafe text
    }

    /// Wipes and frees a text.
    static func take(back text: UnsafeMutablePointer<CChar>) {
        unsafe UnsafeMutableRawBufferPointer(start: text, count: strlen(text)).wipe()
        unsafe free(text)
    }
}
