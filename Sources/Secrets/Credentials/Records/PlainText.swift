internal import Text

/// Words that people give things: one line that looks like what it is.
enum PlainText {
    /// 1 to `longest` bytes, no blank at either end, and nothing that breaks a line or turns the writing around.
    static func isLine(_ text: String, longest: Int) -> Bool {
        guard (1...longest).contains(text.utf8.count), let first = text.unicodeScalars.first,
            let last = text.unicodeScalars.last
        else { return false }
        return !first.properties.isWhitespace && !last.properties.isWhitespace
            && text.unicodeScalars.allSatisfy { !$0.isForbiddenInNames }
    }
}
