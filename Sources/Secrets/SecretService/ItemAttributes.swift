/// The attributes by which programs find an item: names and values, each name once, compared byte for byte.
///
/// A missing `xdg:schema` counts as `org.freedesktop.Secret.Generic`, which GNOME Keyring adds when it stores an item.
package struct ItemAttributes: Hashable, Sendable {
    /// One name with its value, both UTF-8.
    package struct Pair: Hashable, Sendable {
        /// The name.
        package let name: [UInt8]
        /// The value.
        package let value: [UInt8]

        /// Makes a pair of a name and its value.
        package init(name: [UInt8], value: [UInt8]) {
            self.name = name
            self.value = value
        }
    }

    /// The most attributes of one item.
    package static let maximumCount = 512
    /// Bytes in the longest name.
    package static let longestName = 1_024
    /// Bytes in the longest value.
    package static let longestValue = 16 << 10
    /// Bytes in all names and values together; each pair above `few` counts four more.
    ///
    /// The rest of a record's 64 KiB is for the record itself.
    package static let longest = 56 << 10
    /// The most pairs that become attributes of the record, so that it has room for its own attributes.
    static let few = 48

    /// No attributes.
    package static let none = ItemAttributes(sorted: [])

    /// The schema of an item without a schema attribute.
    package static let genericSchema = "org.freedesktop.Secret.Generic"
    private static let schema = Array("xdg:schema".utf8)
    private static let usual = Pair(name: schema, value: Array(genericSchema.utf8))

    /// The attributes, ascending by the bytes of their names.
    package let pairs: [Pair]

    private init(sorted pairs: [Pair]) { self.pairs = pairs }

    /// Makes the attributes from the pairs of a program, in any order.
    ///
    /// - Throws: `ServiceError.tooMuch`; `badAttribute` for a repeated name, and for text that is not UTF-8.
    package init(_ pairs: [Pair]) throws(ServiceError) {
        guard pairs.count <= Self.maximumCount else {
            throw .tooMuch(.attributes, limit: Self.maximumCount)
        }
        for pair in pairs {
            guard pair.name.count <= Self.longestName else {
                throw .tooMuch(.attributeName, limit: Self.longestName)
            }
            guard pair.value.count <= Self.longestValue else {
                throw .tooMuch(.attributeValue, limit: Self.longestValue)
            }
        }
        guard Self.size(of: pairs) <= Self.longest else {
            throw .tooMuch(.attributeBytes, limit: Self.longest)
        }
        for pair in pairs {
            guard String(validating: pair.name, as: UTF8.self) != nil,
                String(validating: pair.value, as: UTF8.self) != nil
            else { throw .badAttribute }
        }
        let sorted = pairs.sorted { $0.name.lexicographicallyPrecedes($1.name) }
        guard !zip(sorted, sorted.dropFirst()).contains(where: { $0.name == $1.name }) else {
            throw .badAttribute
        }
        self.init(sorted: sorted)
    }

    /// The bytes of names and values, as they count against `longest`.
    package var size: Int { Self.size(of: pairs) }

    private static func size(of pairs: [Pair]) -> Int {
        pairs.reduce(4 * max(0, pairs.count - few)) { $0 + $1.name.count + $1.value.count }
    }

    /// The value of a name; nil if the name is missing.
    package subscript(name: String) -> [UInt8]? {
        let name = Array(name.utf8)
        return pairs.first { $0.name == name }?.value
    }

    /// The pairs that a search may name; they include the usual schema if the item has no other.
    package var searchable: [Pair] {
        pairs.contains { $0.name == Self.schema } ? pairs : pairs + [Self.usual]
    }

    /// Whether both have equal pairs, with the usual schema if one has none.
    package func isEqual(to other: ItemAttributes) -> Bool {
        pairs == other.pairs || Set(searchable) == Set(other.searchable)
    }

    /// Whether a search finds these attributes: they have every pair of `wanted`.
    ///
    /// An empty search finds everything.
    package func matches(_ wanted: ItemAttributes) -> Bool {
        let own = searchable
        return wanted.pairs.allSatisfy { own.contains($0) }
    }
}

extension ItemAttributes: Codable {
    /// Reads names and values, one after the other.
    ///
    /// - Throws: the errors of `init(_:)`; `ServiceError.badAttribute` for a name without a value.
    package init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        // The number of pairs is checked while reading, so that a list that is too long is not read to its end.
        var pairs: [Pair] = []
        while !list.isAtEnd {
            guard pairs.count < Self.maximumCount else {
                throw ServiceError.tooMuch(.attributes, limit: Self.maximumCount)
            }
            let name = try list.decode([UInt8].self)
            guard !list.isAtEnd else { throw ServiceError.badAttribute }
            pairs.append(Pair(name: name, value: try list.decode([UInt8].self)))
        }
        try self.init(pairs)
    }

    /// Writes names and values, one after the other.
    package func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        for pair in pairs {
            try list.encode(pair.name)
            try list.encode(pair.value)
        }
    }
}
