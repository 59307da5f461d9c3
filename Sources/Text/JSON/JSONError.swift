/// Why a text is not read as JSON, or a value not written.
package enum JSONError: Error, Equatable, Sendable {
    /// It is not exactly one JSON value in UTF-8, or says a name twice in one object; the line where reading
    /// stopped, from 1.
    case malformed(line: Int)
    /// Nested deeper than `JSONLimits.depth`.
    case tooDeep
    /// More values than `JSONLimits.values`.
    case tooManyValues
    /// A secret would be written into memory that is not locked.
    case secret
}

/// The numbers that bound what a text can make its reader do; its length is bounded by the one who has it.
package struct JSONLimits: Sendable {
    /// Lists and objects in each other.
    package let depth: Int
    /// Values, those of members included.
    package let values: Int

    package init(depth: Int = 64, values: Int = 1_000_000) {
        (self.depth, self.values) = (depth, values)
    }
}
