public import VaultCrypto

/// Seals and opens HSIP v1 messages: ChaCha20-Poly1305, byte for byte as upstream does it.
public enum MessageCipher {
    /// The constant additional data of every text message.
    public static let associatedData = Array("HSIP-KEYBOARD-v1".utf8)
    /// The longest plaintext, so that a message stays within 1 MiB.
    public static let longestPlaintext = MessageEnvelope.longest - MessageEnvelope.headerSize

    /// Seals one text.
    ///
    /// - Parameters:
    ///   - plaintext: UTF-8 without U+0000, up to `longestPlaintext` bytes, also empty.
    ///   - key: the message key of the sending direction, 32 bytes.
    ///   - sender: the sender's id, written into the header in clear.
    ///   - nonce: 12 bytes, never used before under this key (`HedgedNonce`).
    ///   - purpose: the purpose of the message; for the key of a file or parcel the plaintext is 32 bytes of
    ///     any value.
    /// - Returns: the message; its ciphertext is as long as the plaintext.
    /// - Throws: `badPlaintext`; `malformed` for a key or nonce of the wrong size.
    public static func seal(
        _ plaintext: borrowing some ByteSource & ~Copyable,
        key: borrowing some ByteSource & ~Copyable,
        sender: PeerID,
        nonce: [UInt8],
        purpose: MessagePurpose = .text
    ) throws(HSIPError) -> MessageEnvelope {
        try check(plaintext, for: purpose)
        do {
            let sealed = try ChaCha20Poly1305.seal(
                plaintext,
                key: key,
                nonce: nonce,
                authenticating: purpose.associatedData
            )
            return MessageEnvelope(
                sender: sender,
                nonce: nonce,
                tag: sealed.tag,
                ciphertext: sealed.ciphertext
            )
        } catch {
            throw HSIPError(error)
        }
    }

    /// Checks whether a text may be sealed, so that a refused text uses up no number.
    ///
    /// - Throws: `badPlaintext` for U+0000, for text that is not UTF-8, and above `longestPlaintext` bytes;
    ///   for a file key of the wrong size.
    public static func check(
        _ plaintext: borrowing some ByteSource & ~Copyable,
        for purpose: MessagePurpose = .text
    ) throws(HSIPError) {
        let isGood =
            switch purpose {
            case .text:
                plaintext.count <= longestPlaintext && plaintext.withBytes({ TextKind($0) }) == .text
            case .fileKey, .parcelKey: plaintext.count == MessagePurpose.fileKeySize
            }
        guard isGood else { throw .badPlaintext }
    }

    /// Seals one text and writes it in the compact form, as ASCII and UTF-8 bytes.
    ///
    /// Has the parameters and errors of `seal`.
    public static func sealCompact(
        _ plaintext: borrowing some ByteSource & ~Copyable,
        key: borrowing some ByteSource & ~Copyable,
        sender: PeerID,
        nonce: [UInt8]
    ) throws(HSIPError) -> [UInt8] {
        MessageText.compact(try seal(plaintext, key: key, sender: sender, nonce: nonce))
    }

    /// Opens a message into locked memory.
    ///
    /// - Throws: `cannotOpen` if this key did not seal exactly this message for this purpose;
    ///   `malformedMessage` if the plaintext is not UTF-8 (U+0000 is allowed: the sender wrote it), or not of
    ///   the size of a file key; `outOfMemory`.
    public static func open(
        _ envelope: MessageEnvelope,
        key: borrowing some ByteSource & ~Copyable,
        purpose: MessagePurpose = .text
    ) throws(HSIPError) -> SecretBytes {
        var plaintext: SecretBytes
        do { plaintext = try SecretBytes(count: envelope.ciphertext.count) } catch { throw HSIPError(error) }
        try plaintext.withMutableBytes { (span) throws(HSIPError) in
            try open(envelope, key: key, purpose: purpose, into: &span)
        }
        return plaintext
    }

    /// Opens a message into memory of the caller, which is zero after a failure.
    ///
    /// - Parameters:
    ///   - envelope: the message.
    ///   - key: the message key that sealed it, 32 bytes.
    ///   - purpose: the purpose that the message must have.
    ///   - plaintext: memory of exactly the length of the ciphertext.
    /// - Throws: the errors of `open(_:key:purpose:)`.
    public static func open(
        _ envelope: MessageEnvelope,
        key: borrowing some ByteSource & ~Copyable,
        purpose: MessagePurpose = .text,
        into plaintext: inout MutableRawSpan
    ) throws(HSIPError) {
        do {
            try ChaCha20Poly1305.open(
                envelope.ciphertext,
                tag: envelope.bytes[MessageEnvelope.tagRange],
                key: key,
                nonce: envelope.bytes[MessageEnvelope.nonceRange],
                authenticating: purpose.associatedData,
                into: &plaintext
            )
        } catch {
            throw error == .outOfMemory ? .outOfMemory : .cannotOpen
        }
        let isGood =
            switch purpose {
            case .text: TextKind(plaintext.bytes) != .notText
            case .fileKey, .parcelKey: plaintext.byteCount == MessagePurpose.fileKeySize
            }
        guard isGood else {
            for offset in 0..<plaintext.byteCount {
                plaintext.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self)
            }
            throw .malformedMessage
        }
    }
}

/// The purpose of a sealed message, bound into it, so that no message opens for another purpose.
///
/// Otherwise an attacker who may choose a text for another person could choose the key of a file that seems
/// to come from the same sender.
public enum MessagePurpose: Sendable {
    /// A text for a person to read.
    case text
    /// The key of one file (Schemas/file-container.md): 32 bytes that no person sees.
    case fileKey
    /// The key of one parcel (Schemas/parcel.md): 32 bytes too.
    case parcelKey

    /// Bytes of the key of a file or a parcel.
    public static let fileKeySize = 32

    /// The constant additional data of messages with this purpose.
    public var associatedData: [UInt8] {
        switch self {
        case .text: MessageCipher.associatedData
        case .fileKey: Self.fileKeyData
        case .parcelKey: Self.parcelKeyData
        }
    }

    private static let fileKeyData = Array("HSIP-FILE-v1".utf8)
    private static let parcelKeyData = Array("HSIP-SECRET-v1".utf8)
}
