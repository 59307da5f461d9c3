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

/// A value of a JSON text as its place in the memory that was read: a text is decoded where it stands, so that a secret
/// is never copied.
package indirect enum JSONPlace: Sendable {
    case null
    case bool(Bool)
    /// As it is written.
    case number(Range<Int>)
    case text(Range<Int>)
    case list([JSONPlace])
    /// In the order of the text; a name may stand there twice.
    case object([(name: Range<Int>, value: JSONPlace)])

    /// Reads a whole text and decodes the texts in it where they stand.
    ///
    /// Whether they are UTF-8 is for the caller to find out. A byte order mark before the value is passed over.
    ///
    /// - Throws: `malformed` for anything that is not exactly one JSON value (RFC 8259); `tooDeep`; `tooManyValues`.
    package init(reading bytes: inout MutableRawSpan, _ limits: JSONLimits = JSONLimits()) throws(JSONError) {
        var reader = JSONReader(limits)
        self = try reader.whole(&bytes)
    }
}
