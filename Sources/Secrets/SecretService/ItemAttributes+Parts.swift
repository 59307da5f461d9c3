internal import RecordStore

/// Splits attributes into parts if a record cannot store them as they are: they are too many or too long.
extension ItemAttributes {
    /// Whether each attribute can be an attribute of the record, with a sign before its name.
    private var fit: Bool {
        pairs.count <= Self.few
            && pairs.allSatisfy { pair in
                pair.name.count < RecordLimits.attributeName
                    && pair.value.count <= RecordLimits.attributeValue
            }
    }

    /// The parts: names and values with a length of two bytes before each, cut into pieces of 4,096 bytes.
    ///
    /// Nil if the attributes fit into a record without parts.
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

    /// Joins the output of `parts`.
    ///
    /// - Throws: `ServiceError.badAttribute` for anything that `parts` cannot write; the errors of `init(_:)`.
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
