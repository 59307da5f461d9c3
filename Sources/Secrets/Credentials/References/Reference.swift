internal import VaultCrypto

/// The name of a secret in a setting, a variable or a template: `vault:NAME` or `vault:NAME#FIELD`.
///
/// A reference always means the present secret, never an older version. So a new value reaches every user of the
/// reference (Schemas/references.md).
public struct Reference: Hashable, Sendable, Codable {
    /// The start of every reference.
    public static let scheme = "vault:"
    /// The longest reference, in bytes.
    public static let longest = 2_048

    /// The name of the secret.
    public let name: String
    /// The field; nil for the main field of the kind.
    public let field: String?

    /// Makes a reference.
    public init(name: String, field: String? = nil) {
        self.name = name
        self.field = field
    }

    /// Whether a text begins like a reference.
    public static func isMeant(by text: some Collection<UInt8>) -> Bool {
        // A loop instead of `starts(with:)`, for a quick start (ARCHITECTURE.md).
        var place = text.startIndex
        for byte in scheme.utf8 {
            guard place != text.endIndex, text[place] == byte else { return false }
            text.formIndex(after: &place)
        }
        return true
    }

    /// Whether a text resembles a reference, with capitals, or with blanks or quotes before it.
    ///
    /// Such a text is not a reference, but is hardly meant as a password.
    public static func isLookedLike(by text: some Collection<UInt8>) -> Bool {
        let bare = text.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x22 || $0 == 0x27 }
        return bare.prefix(scheme.utf8.count).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
            .elementsEqual(scheme.utf8)
    }

    /// Reads a reference; nil for any other text.
    ///
    /// Bytes up to the space, `#`, `%`, `{`, `}` and 7F must be written as `%XX` in a name and a field; every other byte
    /// may be.
    public init?(reading text: some Collection<UInt8>) {
        guard text.count <= Self.longest, Self.isMeant(by: text) else { return nil }
        let parts = text.dropFirst(Self.scheme.utf8.count).split(
            separator: UInt8(ascii: "#"),
            omittingEmptySubsequences: false
        )
        guard parts.count <= 2, let name = parts.first.flatMap({ Self.part(Array($0)) }) else { return nil }
        guard parts.count == 2 else {
            self.init(name: name)
            return
        }
        guard let field = Self.part(Array(parts[1])) else { return nil }
        self.init(name: name, field: field)
    }

    /// The reference as text.
    public var text: String {
        Self.scheme + Self.escaped(name) + (field.map { "#" + Self.escaped($0) } ?? "")
    }

    private static func part(_ bytes: [UInt8]) -> String? {
        guard !bytes.isEmpty, !bytes.contains(where: { isSpecial($0) && $0 != 0x25 }),
            let plain = PercentText.decode(bytes)
        else { return nil }
        return String(validating: plain, as: UTF8.self)
    }

    private static func escaped(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let bytes = text.utf8.flatMap { byte in
            isSpecial(byte) ? [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]] : [byte]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == 0x7F || "#%{}".utf8.contains(byte)
    }
}

/// Text in which bytes with a special meaning are written as `%XX` (RFC 3986 section 2.1).
enum PercentText {
    /// Decodes a public text; nil for a `%` without two hexadecimal digits.
    static func decode(_ text: [UInt8]) -> [UInt8]? {
        var out: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            guard byte == 0x25 else {
                out.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            out.append(high << 4 | low)
        }
        return out
    }

    /// Decodes a secret text in locked memory; nil for a `%` without two hexadecimal digits.
    static func decode(_ text: borrowing SecretBytes) throws(CryptoError) -> SecretBytes? {
        var out = try SecretBytes(count: text.count)
        var count = 0
        var isWhole = true
        out.withMutableBytes { out in
            text.withBytes { text in
                var place = 0
                while place < text.byteCount {
                    var byte = text.byte(at: place)
                    place += 1
                    if byte == 0x25 {
                        guard place + 1 < text.byteCount, let high = digit(text.byte(at: place)),
                            let low = digit(text.byte(at: place + 1))
                        else {
                            isWhole = false
                            return
                        }
                        byte = high << 4 | low
                        place += 2
                    }
                    out.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
                    count += 1
                }
            }
        }
        return isWhole ? try out.slice(0..<count) : nil
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
