public import VaultCrypto

/// The content of a parcel (Schemas/parcel.md): a secret for a contact, or a notice about a shared secret.
public struct Parcel: Sendable {
    /// The sender's action.
    public enum Act: UInt8, Sendable, CaseIterable, Codable {
        /// Shares a secret, or a new version of it.
        case give = 1
        /// Asks to remove the shared secret.
        case withdraw = 2
        /// Sends a share of a recovery secret: 20 words.
        case share = 3
    }

    /// Bytes in the number of a gift.
    public static let giftSize = 16
    /// Bytes in the longest note.
    public static let longestNote = 500
    /// Bytes of the longest content of a parcel: 2 MiB.
    public static let longestContent = 2 << 20

    /// The highest version, 2^31.
    public static let highestVersion: UInt32 = 1 << 31
    /// The highest version number that a copy keeps, 2^20; above it a copy starts at 1 again.
    ///
    /// So no sender can use up the numbers that the copy needs for its own versions.
    public static let highestKept: UInt32 = 1 << 20

    private static let format: UInt8 = 1
    private static let shareWords = 20

    /// The sender's action.
    public let act: Act
    /// The id of the gift: 16 random bytes for one secret and one contact, unchanged for every later version.
    public let gift: [UInt8]
    /// The version of the secret in the sender's vault.
    public let version: UInt32
    /// When it was sealed, Unix seconds.
    public let made: UInt64
    /// When the secret expires, Unix seconds; nil for never.
    public let end: UInt64?
    /// The sender's name for the secret.
    public let name: String
    /// The sender's note, one line; nil for none.
    public let note: String?
    /// The content of a credential, or the words of a share; nil for `withdraw`.
    public let content: Secret?

    /// Makes a parcel from its parts.
    ///
    /// - Throws: `CredentialError.malformedGift` for invalid parts; the errors of the content of a credential.
    public init(
        _ act: Act,
        gift: [UInt8],
        version: UInt32,
        made: UInt64,
        end: UInt64? = nil,
        name: String,
        note: String? = nil,
        content: Secret? = nil
    ) throws(CredentialError) {
        guard gift.count == Self.giftSize, (1...Self.highestVersion).contains(version),
            made <= Credential.latestTime,
            end.map({ $0 >= max(made, 1) && $0 <= Credential.latestTime }) ?? true,
            CredentialName.isValid(name),
            note.map({ PlainText.isLine($0, longest: Self.longestNote) }) ?? true
        else { throw .malformedGift }
        (self.act, self.gift, self.version, self.made, self.end) = (act, gift, version, made, end)
        (self.name, self.note, self.content) = (name, note, content)
        switch (act, content) {
        case (.give, .some): _ = try credential()
        case (.withdraw, nil): break
        case (.share, let words?): guard Self.isShare(words) else { throw .malformedGift }
        default: throw .malformedGift
        }
    }

    /// The encoded content, in locked memory.
    ///
    /// - Throws: `CredentialError.outOfMemory`.
    public func plaintext() throws(CredentialError) -> Secret {
        var head: [UInt8] = [Self.format, act.rawValue] + gift
        head += Self.bytes(version) + Self.bytes(made) + Self.bytes(end ?? 0)
        for text in [name, note ?? ""] { head += Self.bytes(UInt16(text.utf8.count)) + Array(text.utf8) }
        head += Self.bytes(UInt32(content?.count ?? 0))
        do throws(CryptoError) {
            guard let content else { return try Secret(copying: head) }
            return Secret(try SecretBytes.joined([head, content]))
        } catch {
            throw .outOfMemory
        }
    }

    /// Reads the output of `plaintext`; the content is not copied, but stays a part of it.
    ///
    /// - Throws: `CredentialError.unsupportedVersion`; `malformedGift` for anything that `plaintext` cannot write;
    ///   `outOfMemory`.
    public init(plaintext: Secret) throws(CredentialError) {
        do throws(CredentialError) {
            guard plaintext.count <= Self.longestContent else { throw .malformedGift }
            var reader = ContentReader(plaintext)
            let format = try reader.byte()
            guard format == Self.format else { throw .unsupportedVersion(format) }
            guard let act = Act(rawValue: try reader.byte()) else { throw .malformedGift }
            let gift = try reader.take(Self.giftSize)
            let (number, made, end) = (try reader.uint32(), try reader.uint64(), try reader.uint64())
            let name = try Self.line(from: &reader, longest: CredentialName.longest)
            let note = try Self.line(from: &reader, longest: Self.longestNote)
            let content = try reader.part(limit: Self.longestContent)
            guard reader.isAtEnd else { throw .malformedGift }
            try self.init(
                act,
                gift: gift,
                version: number,
                made: made,
                end: end == 0 ? nil : end,
                name: name,
                note: note.isEmpty ? nil : note,
                content: content.count == 0 ? nil : content
            )
        } catch .unsupportedVersion(let version) {
            throw .unsupportedVersion(version)
        } catch .outOfMemory {
            throw .outOfMemory
        } catch {
            throw .malformedGift
        }
    }

    /// The shared credential.
    ///
    /// - Throws: `CredentialError.malformedGift` for another act, and for a credential with a history, another version, in
    ///   the trash, with an origin or with its own expiry; `unsupportedVersion`; the errors of the content.
    public func credential() throws(CredentialError) -> Credential {
        guard act == .give, let content else { throw .malformedGift }
        let credential = try Credential(content: content)
        guard credential.versions.count == 1, credential.current.number == version, !credential.isRemoved,
            credential.origin == nil,
            credential.expires == nil
        else { throw .malformedGift }
        return credential
    }

    private static func line(from reader: inout ContentReader, longest: Int) throws(CredentialError) -> String
    {
        let count = Int(try reader.uint16())
        guard count <= longest else { throw .malformedGift }
        guard let text = String(validating: try reader.take(count), as: UTF8.self) else {
            throw .malformedGift
        }
        return text
    }

    /// Whether the text is twenty words of small letters, separated by single spaces.
    private static func isShare(_ words: Secret) -> Bool {
        words.withBytes { span in
            var (count, before) = (0, UInt8(0x20))
            for place in 0..<span.byteCount {
                let byte = span.byte(at: place)
                guard (0x61...0x7A).contains(byte) || (byte == 0x20 && before != 0x20) else { return false }
                if before == 0x20 { count += 1 }
                before = byte
            }
            return count == shareWords && before != 0x20
        }
    }

    private static func bytes(_ number: some FixedWidthInteger & UnsignedInteger) -> [UInt8] {
        stride(from: number.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
