/// Why a text is not read as JSON.
package enum JSONError: Error, Equatable, Sendable {
    /// It is not exactly one JSON value in UTF-8, says a name twice in one object, or nests too deep.
    case malformed
}
