@_spi(_Unicode) internal import Swift
internal import Text

/// The identity of a record: kind and name, unique together.
public struct RecordID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The kind.
    public let kind: RecordKind
    /// The name within the kind: 1–512 bytes of UTF-8 in normalisation form C (`NameRules`).
    public let name: String

    /// Creates an id; throws `StoreError.invalidRecord(.name)` if the name breaks the rules of `NameRules`.
    public init(kind: RecordKind, name: String) throws(StoreError) {
        guard NameRules.isValid(name) else { throw .invalidRecord(.name) }
        self.kind = kind
        self.name = name
    }

    /// Creates an id from two texts; throws `StoreError.invalidRecord` if either breaks its rules.
    public init(_ kind: String, _ name: String) throws(StoreError) {
        try self.init(kind: RecordKind(kind), name: name)
    }

    /// Orders ids by kind, then by name, both by their bytes.
    public static func < (left: Self, right: Self) -> Bool {
        left.kind == right.kind ? left.name < right.name : left.kind < right.kind
    }

    /// The text `kind/name`.
    public var description: String { "\(kind.rawValue)/\(name)" }
}

/// The rules for a record's name (Schemas/vault-file.md section 3).
///
/// Case matters and is not folded: folding tables differ by Unicode version and language, and an id that changes is a
/// lost record. Normalisation form C is stable. User interfaces normalise typed text; the store refuses text that is
/// not normalised.
public enum NameRules {
    /// The text in normalisation form C, which user interfaces store for typed text.
    public static func normalized(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text._nfc { scalars.append(scalar) }
        return String(scalars)
    }

    /// Whether a name has 1–512 bytes in form C, no white space at either end, no control or direction characters.
    static func isValid(_ name: String) -> Bool {
        let bytes = name.utf8
        guard !bytes.isEmpty, bytes.count <= RecordLimits.name else { return false }
        var isASCII = true
        for byte in bytes {
            if byte >= 0x80 { isASCII = false }
            guard byte > 0x1F, byte != 0x7F else { return false }
        }
        if isASCII { return bytes.first != 0x20 && bytes.last != 0x20 }
        let scalars = name.unicodeScalars
        guard scalars.first?.properties.isWhitespace == false,
            scalars.last?.properties.isWhitespace == false,
            scalars.allSatisfy({ !$0.isForbiddenInNames })
        else { return false }
        return name._nfc.elementsEqual(scalars)
    }
}
