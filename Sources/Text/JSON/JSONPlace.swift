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
