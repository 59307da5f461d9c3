/// What a question about an operation says, after “Allow … to”.
public struct ApprovalQuestion: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The words; `%1` stands for the first name that it is about, `%2` for the second.
    private let words: String
    /// The words where it is about nothing that has a name.
    private let nameless: String

    /// A question that has other words where nothing is named.
    public init(_ words: String, nameless: String) {
        self.words = words
        self.nameless = nameless
    }

    /// A question that has the same words always.
    public init(stringLiteral words: String) {
        self.init(words, nameless: words)
    }

    /// Whether it shows two names at once, each in its own part.
    public var namesTwo: Bool { words.contains("%2") }

    /// The words with names in them.
    ///
    /// - Parameters:
    ///   - names: what it is about: the first stands for `%1`, the second for `%2`.
    ///   - shown: a name as the question shows it.
    /// - Returns: the words; where a name is empty or missing they say “without a name”.
    public func text(_ names: [String], shown: (String) -> String) -> String {
        let hasName = names.first.map { !$0.isEmpty } ?? false
        var text = ""
        var rest = (hasName ? words : nameless)[...]
        // What a name holds is not looked at again.
        while let mark = rest.firstIndex(of: "%") {
            text += rest[..<mark]
            let place = rest[mark...].dropFirst().first?.wholeNumberValue ?? 0
            rest = rest[mark...].dropFirst(2)
            let name = names.indices.contains(place - 1) ? names[place - 1] : ""
            text += name.isEmpty ? "without a name" : shown(name)
        }
        return text + rest
    }
}
