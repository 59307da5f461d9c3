internal import RecordStore
internal import VaultCrypto

/// The text format of items: a magic, the number of the format, and base64 fields, with single spaces between them.
enum MarkedText {
    static let format: UInt32 = 2

    /// Encodes fields as a text: the magic, `:2`, and a space and base64 for each field.
    static func encode(_ magic: String, _ fields: [any ByteSource]) throws(StoreError) -> Secret {
        var pieces: [any ByteSource] = [Array("\(magic):\(format)".utf8)]
        do {
            for field in fields {
                pieces += [[0x20], Secret(try Self.base64(field))] as [any ByteSource]
            }
            return Secret(try SecretBytes.joined(pieces))
        } catch {
            throw StoreError(error)
        }
    }

    private static func base64(_ field: some ByteSource) throws(CryptoError) -> SecretBytes {
        try SecretBase64.encode(field)
    }

    /// Decodes the fields of a text; returns nil for a malformed text.
    ///
    /// The last field is a mark of 32 bytes, and so is the first of three fields. The bounds of all fields follow from that.
    ///
    /// - Throws: `newerFormat`; `outOfMemory`.
    static func decode(_ text: RawSpan, _ magic: String, fields count: Int) throws(StoreError) -> [Secret]? {
        guard let found = format(of: text, magic) else { return nil }
        guard found <= format else { throw .newerFormat(found: found, supported: format) }
        let (start, mark) = (magic.utf8.count + 2, SecretBase64.encodedCount(HMACSHA256.tagSize))
        var bounds = count == 3 ? [start, start + 1 + mark] : [start]
        bounds += [text.byteCount - mark - 1, text.byteCount]
        guard found == format, text.byteCount <= LargeItems.longest,
            zip(bounds, bounds.dropFirst()).allSatisfy(<),
            bounds.dropLast().allSatisfy({ text.byte(at: $0) == 0x20 })
        else { return nil }
        var fields: [Secret] = []
        for (space, end) in zip(bounds, bounds.dropFirst()) {
            do {
                guard let field = try SecretBase64.decode(text.extracting(space + 1..<end)) else {
                    return nil
                }
                fields.append(Secret(field))
            } catch {
                throw StoreError(error)
            }
        }
        return fields
    }

    /// The format's number after the magic; nil if it is missing or malformed.
    static func format(of text: RawSpan, _ magic: String) -> UInt32? {
        let head = Array("\(magic):".utf8)
        guard text.byteCount > head.count else { return nil }
        let start = text.extracting(0..<min(head.count + 11, text.byteCount)).copied()
        guard start.starts(with: head) else { return nil }
        let digits = String(decoding: start.dropFirst(head.count).prefix { $0 != 0x20 }, as: UTF8.self)
        guard let number = UInt32(digits), "\(number)" == digits else { return nil }
        return number
    }
}

/// The keys of the marks on everything that a vault writes (Schemas/keyring-vault.md section 2).
///
/// The root contains the key, so the marks do not stop a program that can read the keyring. They reveal damage, and edits
/// by other programs.
struct MarkKeys: Sendable {
    /// Bytes of the key in the root.
    static let size = 32

    /// The key in the root.
    let key: Secret
    /// The key that seals the copy of the root.
    let copy: Secret
    private let keys: [Secret]

    /// The kind of content that a mark authenticates; equal bytes have different marks in each kind.
    enum Place: Int, CaseIterable, Sendable {
        case root, page, body

        fileprivate var info: [UInt8] {
            switch self {
            case .root: Array("root".utf8)
            case .page: Array("page".utf8)
            case .body: Array("body".utf8)
            }
        }
    }

    /// Derives the keys from the key of a root.
    init(_ key: Secret) throws(StoreError) {
        guard key.count == Self.size else { throw .tampered(.head) }
        self.key = key
        var keys: [Secret] = []
        do {
            for place in Place.allCases {
                keys.append(Secret(try HKDF.expand(key, info: place.info, count: 32)))
            }
            copy = Secret(try HKDF.expand(key, info: Array("copy".utf8), count: 32))
        } catch {
            throw StoreError(error)
        }
        self.keys = keys
    }

    /// Makes new random keys.
    static func make(_ entropy: Entropy) throws(StoreError) -> MarkKeys {
        let key: Secret
        do { key = Secret(try entropy.secret(size)) } catch { throw StoreError(error) }
        return try MarkKeys(key)
    }

    /// Computes the mark of some content, 32 bytes.
    func tag(_ content: borrowing some ByteSource & ~Copyable, _ place: Place) -> [UInt8] {
        HMACSHA256.tag(content, key: keys[place.rawValue])
    }
}
