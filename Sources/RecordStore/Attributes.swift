/// Small named values beside a secret: searchable, encrypted at rest, but not kept in locked memory.
///
/// Names are unique and ascending by their bytes, so one set of attributes has one encoding. Attributes are kept in
/// that encoding, so reading ten thousand records does not make fifty thousand small strings.
public struct Attributes: Hashable, Sendable {
    /// The number of attributes.
    public let count: Int
    /// count × (s16 name ‖ s16 value), as in the meta of a row.
    let encoded: [UInt8]

    /// No attributes.
    public static let none = Attributes(count: 0, encoded: [])

    /// Attributes that a reader has checked for order and limits.
    init(count: Int, encoded: [UInt8]) {
        self.count = count
        self.encoded = encoded
    }

    /// Attributes with text values.
    ///
    /// - Throws: `StoreError.invalidRecord` if there are more than 64, a name is empty or longer than 64 bytes, or a
    ///   value is longer than 4,096 bytes.
    public init(_ pairs: [String: String]) throws(StoreError) {
        try self.init(bytes: pairs.map { ($0.key, Array($0.value.utf8)) })
    }

    /// Attributes with any bytes as values; a repeated name is refused like one outside the limits.
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
        // Swift compares text by canonical equivalence, but attribute names are compared by their bytes.
        let sorted = pairs.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        for (pair, next) in zip(sorted, sorted.dropFirst())
        where !pair.name.utf8.lexicographicallyPrecedes(next.name.utf8) {
            throw .invalidRecord(.attributeName)
        }
        var encoded: [UInt8] = []
        for pair in sorted {
            encoded.append(short: pair.name.utf8)
            encoded.append(short: pair.value)
        }
        self.init(count: pairs.count, encoded: encoded)
    }

    /// The value of an attribute as text; nil if it is missing or not UTF-8.
    public subscript(name: String) -> String? {
        value(Array(name.utf8)).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// The value of an attribute; nil if it is missing.
    public func bytes(_ name: String) -> [UInt8]? {
        value(Array(name.utf8)).map { Array($0) }
    }

    /// Every attribute, ascending by the bytes of its name.
    public var all: [(name: String, value: [UInt8])] {
        pairs.map { (String(decoding: $0.name, as: UTF8.self), Array($0.value)) }
    }

    /// Whether there are no attributes.
    public var isEmpty: Bool { count == 0 }

    /// Whether these attributes include every attribute of `wanted`, with the same value.
    public func contains(_ wanted: Attributes) -> Bool {
        wanted.isEmpty || wanted.pairs.allSatisfy { value($0.name) == $0.value }
    }

    private func value(_ name: some Collection<UInt8>) -> ArraySlice<UInt8>? {
        pairs.first { $0.name.elementsEqual(name) }?.value
    }

    /// Names and values as parts of the encoding.
    private var pairs: UnfoldSequence<(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>), Int> {
        sequence(state: 0) { offset in
            guard let name = short(&offset), let value = short(&offset) else { return nil }
            return (name, value)
        }
    }

    private func short(_ offset: inout Int) -> ArraySlice<UInt8>? {
        guard offset + 2 <= encoded.count else { return nil }
        let start = offset + 2
        offset = start + (Int(encoded[offset]) << 8 | Int(encoded[offset + 1]))
        return offset <= encoded.count ? encoded[start..<offset] : nil
    }
}
