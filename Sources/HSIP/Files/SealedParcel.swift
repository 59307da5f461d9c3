public import VaultCrypto

/// A sealed parcel: header and chunks of a container with a secret for a contact (Schemas/parcel.md).
public struct SealedParcel: Hashable, Sendable {
    /// The first bytes of every parcel.
    public static let magic: [UInt8] = [0x89] + Array("HSIPS".utf8) + [0x0D, 0x0A]
    /// Bytes of the longest parcel, 2 MiB, which is enough for a credential with the largest values.
    public static let longest = 2 << 20

    /// The first 102 bytes.
    public let header: FileHeader
    /// All bytes of the parcel.
    public let bytes: [UInt8]

    /// Reads a parcel without opening it.
    ///
    /// - Throws: `malformedGift` for other bytes, fewer than a tag after the header, or more than 2 MiB;
    ///   `unsupportedVersion` for a parcel of a newer program.
    public init(bytes: [UInt8]) throws(HSIPError) {
        guard bytes.count <= Self.longest else { throw .malformedGift }
        header = try FileHeader(bytes: Array(bytes.prefix(FileHeader.size)), for: .parcel)
        guard bytes.count >= FileHeader.size + ChaCha20Poly1305.tagSize else { throw .malformedGift }
        self.bytes = bytes
    }

    /// Whether bytes are the beginning of a parcel, of any version.
    public static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: magic) }

    /// Seals the content of a parcel.
    ///
    /// - Parameters:
    ///   - plaintext: the content.
    ///   - keyMessage: the message that carries the parcel's key.
    ///   - key: that key, 32 bytes, made for this plaintext.
    /// - Throws: `malformedGift` for more than fits into 2 MiB; `outOfMemory`.
    public init(sealing plaintext: Secret, keyMessage: MessageEnvelope, key: Secret) throws(HSIPError) {
        let size = FileHeader.size + FileChunks.sealedCount(of: plaintext.count)
        guard size <= Self.longest else { throw .malformedGift }
        header = try FileHeader(keyMessage: keyMessage, for: .parcel)
        let chunks = try FileChunks(header: header, fileKey: key)
        var room = try Self.room(FileChunks.sealedCount(of: plaintext.count))
        let written = try plaintext.withBytes { plain throws(HSIPError) in
            try room.withMutableBytes { room throws(HSIPError) in
                try chunks.seal(plain, first: 0, isLast: true, into: &room)
            }
        }
        bytes = header.bytes + room.withBytes { $0.extracting(0..<written).copied() }
    }

    /// Opens the parcel.
    ///
    /// - Parameter key: the key from the key message, 32 bytes.
    /// - Returns: the content, in locked memory.
    /// - Throws: `cannotOpen` if the parcel was changed or cut; `outOfMemory`.
    public func open(key: Secret) throws(HSIPError) -> Secret {
        let chunks = try FileChunks(header: header, fileKey: key)
        var room = try Self.room(bytes.count - FileHeader.size)
        let read: Int
        do throws(HSIPError) {
            read = try bytes.withBytes { all throws(HSIPError) in
                let body = all.extracting(FileHeader.size..<all.byteCount)
                return try room.withMutableBytes { room throws(HSIPError) in
                    try chunks.open(body, first: 0, isLast: true, into: &room)
                }
            }
        } catch {
            throw error == .outOfMemory ? .outOfMemory : .cannotOpen
        }
        do throws(CryptoError) { return try Secret(room).part(0..<read) } catch { throw HSIPError(error) }
    }

    private static func room(_ count: Int) throws(HSIPError) -> SecretBytes {
        do throws(CryptoError) { return try SecretBytes(count: count) } catch { throw HSIPError(error) }
    }
}
