/// A command line up to the cursor, as a shell hands it over.
///
/// A shell may complete only the end of the last word: bash ends a word at `:`, `=` and `@`, so of `vault:na` it asks
/// about `na`.
struct CompletionLine {
    /// The words before the last one, without their quotes.
    let words: [String]
    /// The word at the cursor, without its quotes.
    let last: String
    /// What of it the shell keeps before the text that it is given.
    private let kept: String

    /// - Parameters:
    ///   - line: the line up to the cursor; empty where the shell says nothing.
    ///   - end: the part of the last word that the shell completes.
    init(_ line: String, end: String) {
        var words = Self.split(line)
        var last = words.popLast() ?? ""
        // An option's value is a word of its own.
        if last.hasPrefix("--"), let equals = last.firstIndex(of: "=") {
            words.append(String(last[..<equals]))
            last = String(last[last.index(after: equals)...])
        }
        (self.words, self.last) = (words, last)
        let end = Self.split(end).last ?? ""
        kept = last.hasSuffix(end) ? String(last.dropLast(end.count)) : ""
    }

    /// What goes on from the last word, in the form that the shell puts in its place.
    func endings(among candidates: [String]) -> [String] {
        candidates.filter { $0.hasPrefix(last) }.map { String($0.dropFirst(kept.count)) }
    }

    /// Words as shells part them, as far as names and references need it; the last is empty after a blank.
    private static func split(_ line: String) -> [String] {
        var words: [String] = []
        var word = ""
        var quote: Character?
        var isEscaped = false
        for character in line {
            switch character {
            case _ where isEscaped:
                word.append(character)
                isEscaped = false
            case "\\" where quote != "'": isEscaped = true
            case quote: quote = nil
            case "'" where quote == nil, "\"" where quote == nil: quote = character
            case " " where quote == nil, "\t" where quote == nil:
                if !word.isEmpty { words.append(word) }
                word = ""
            default: word.append(character)
            }
        }
        return words + [word]
    }
}
