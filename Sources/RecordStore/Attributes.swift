/// Small named values beside a secret: searchable, encrypted at rest, but not kept in locked memory.
///
/// Names are unique and ascending by their bytes, so one set of attributes has one encoding.
public struct Attributes: Sendable {
    /// One attribute.
    struct Entry: Sendable {
        let name: String
        let value: [UInt8]
    }

    let entries: [Entry]

    /// No attributes.
    public static let none = Attributes(sorted: [])

    /// Takes attributes that a reader has found to be in order and within the limits.
    init(sorted entries: [Entry]) {
        self.entries = entries
    }

    /// Attributes with text values.
    ///
    /// - Throws: `StoreError.invalidRecord` when there are more than 64, a name is empty or longer than 64
    ///   bytes, a value is longer than 4,096 bytes.
    public init(_ pairs: [String: String]) throws(StoreError) {
        try self.init(bytes: pairs.map { ($0.key, Array($0.value.utf8)) })
    }

    /// Attributes with any bytes as values; a name given twice is refused like one out of bounds.
    public init(bytes pairs: [(name: String, value: [UInt8])]) throws(StoreError) {
        guard pairs.count <= RecordLimits.attributes else { throw .invalidRecord(.attributeCount) }
        for pair in pairs {
            guard (1...RecordLimits.attributeName).contains(pair.name.utf8.count) else {
                throw .invalidRecord(.attributeName)
            }
            guard pair.value.count <= RecordLimits.attributeValue else {
                throw .invalidRecord(.attributeValue)
            }
        }
        entries = pairs.map { Entry(name: $0.name, value: $0.value) }
            .sorted { Self.precedes($0.name, $1.name) }
        for (entry, next) in zip(entries, entries.dropFirst()) where !Self.precedes(entry.name, next.name) {
            throw .invalidRecord(.attributeName)
        }
    }

    /// Whether `name` comes strictly before `other` in the order of bytes.
    ///
    /// Text compares by canonical equivalence in Swift; names of attributes are their bytes.
    static func precedes(_ name: String, _ other: String) -> Bool {
        name.utf8.lexicographicallyPrecedes(other.utf8)
    }

    /// The value of an attribute as text; nil when there is none, or when it is not UTF-8.
    public subscript(name: String) -> String? {
        bytes(name).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// The value of an attribute; nil when there is none.
    public func bytes(_ name: String) -> [UInt8]? {
        entries.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// Every attribute, ascending by the bytes of its name.
    public var all: [(name: String, value: [UInt8])] { entries.map { ($0.name, $0.value) } }

    /// Whether there are none.
    public var isEmpty: Bool { entries.isEmpty }

    /// How many there are.
    public var count: Int { entries.count }

    /// Bytes of the encoded attributes, two lengths of 16 bits each included.
    var encodedCount: Int {
        entries.reduce(0) { $0 + 4 + $1.name.utf8.count + $1.value.count }
    }

    /// Whether every attribute of `wanted` is here with the same value.
    public func contains(_ wanted: Attributes) -> Bool {
        wanted.entries.allSatisfy { bytes($0.name) == $0.value }
    }
}

extension Attributes: Hashable {
    /// Equal names and values, byte for byte.
    public static func == (left: Self, right: Self) -> Bool {
        left.entries.elementsEqual(right.entries) {
            $0.value == $1.value && $0.name.utf8.elementsEqual($1.name.utf8)
        }
    }

    /// Hashes names and values as bytes, as equality compares them.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(entries.count)
        for entry in entries {
            for byte in entry.name.utf8 { hasher.combine(byte) }
            hasher.combine(entry.value)
        }
    }
}
