internal import RecordStore

/// More or longer attributes than a record can have: a single text in parts.
extension ItemAttributes {
    /// Whether each of them can be an attribute of the record, with a sign before its name.
    private var fit: Bool {
        pairs.count <= Self.few
            && pairs.allSatisfy { pair in
                pair.name.count < RecordLimits.attributeName
                    && pair.value.count <= RecordLimits.attributeValue
            }
    }

    /// The parts: names and values with a length of two bytes before each, cut into pieces of 4,096 bytes; nil where they
    /// need none.
    var parts: [[UInt8]]? {
        guard !fit else { return nil }
        var whole: [UInt8] = []
        for field in pairs.flatMap({ [$0.name, $0.value] }) {
            whole +=
                [UInt8(truncatingIfNeeded: field.count >> 8), UInt8(truncatingIfNeeded: field.count)] + field
        }
        return stride(from: 0, to: whole.count, by: RecordLimits.attributeValue).map { start in
            Array(whole[start..<min(start + RecordLimits.attributeValue, whole.count)])
        }
    }

    /// Reads what `parts` wrote.
    ///
    /// - Throws: `ServiceError.badAttribute` for anything that it does not write; what `init(_:)` refuses.
    init(parts: [[UInt8]]) throws(ServiceError) {
        var rest = Array(parts.joined())[...]
        func field() throws(ServiceError) -> [UInt8] {
            guard rest.count >= 2 else { throw .badAttribute }
            let count = Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
            rest = rest.dropFirst(2)
            guard rest.count >= count else { throw .badAttribute }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        var pairs: [Pair] = []
        while !rest.isEmpty {
            guard pairs.count < Self.maximumCount else { throw .badAttribute }
            pairs.append(Pair(name: try field(), value: try field()))
        }
        try self.init(pairs)
        guard self.parts == parts else { throw .badAttribute }
    }
}
