internal import Presentation

/// Comments that people type for keys: one line of text.
enum KeyComment {
    private static let longest = 1_000

    /// The bytes of a comment.
    ///
    /// - Throws: `malformed` for line breaks and other control characters.
    static func checked(_ text: String) throws(Failure) -> [UInt8] {
        let isLine = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard isLine, text.utf8.count <= longest else {
            throw Failure(
                .malformed,
                "a comment is one line of at most \(longest) bytes",
                hint: "--comment me@example.org"
            )
        }
        return Array(text.utf8)
    }
}
