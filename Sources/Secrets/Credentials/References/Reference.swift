/// The name of a secret in a setting, a variable or a template: `vault:NAME` or `vault:NAME#FIELD`.
///
/// It always means the secret as it is now, never an older version, so that a secret which is replaced reaches
/// anyone who refers to it (Schemas/references.md).
public struct Reference: Hashable, Sendable, Codable {
    /// The start of every reference.
    public static let scheme = "vault:"
    /// The longest reference, in bytes.
    public static let longest = 2_048

    /// The name of the secret.
    public let name: String
    /// The field; nil for the one that its type is about.
    public let field: String?

    /// A reference.
    public init(name: String, field: String? = nil) {
        self.name = name
        self.field = field
    }

    /// Whether a text wants to be a reference.
    public static func isMeant(by text: some Collection<UInt8>) -> Bool {
        // A loop in place of `starts(with:)`, for a quick start (ARCHITECTURE.md).
        var place = text.startIndex
        for byte in scheme.utf8 {
            guard place != text.endIndex, text[place] == byte else { return false }
            text.formIndex(after: &place)
        }
        return true
    }

    /// Whether a text looks like a reference: in capitals, or with blanks or quotes before it, it is none, and was
    /// hardly meant as a password.
    public static func isLookedLike(by text: some Collection<UInt8>) -> Bool {
        let bare = text.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x22 || $0 == 0x27 }
        return bare.prefix(scheme.utf8.count).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
            .elementsEqual(scheme.utf8)
    }

    /// Reads a reference; nil for anything else.
    ///
    /// Bytes up to the space, `#`, `%`, `{`, `}` and 7F are written as `%XX` in a name and a field; every other one
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
