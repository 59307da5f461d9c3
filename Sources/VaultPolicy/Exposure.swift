/// What an operation of a vault does with what the vault keeps.
///
/// With who asks, and what it is about, this is all that decides a verdict. What may be asked about brings the words of
/// its question.
public enum Exposure: Hashable, Sendable {
    /// Reads names, numbers and public halves.
    case names
    /// Uses a secret where it is: seals or opens a message, signs.
    case use(ApprovalQuestion)
    /// Lets out the secrets that are named.
    case values(ApprovalQuestion)
    /// Lets out all secrets, besides those that are named.
    case everything(ApprovalQuestion)
    /// Tells whether a value that came with it is that of what is named.
    case comparison(ApprovalQuestion)
    /// Tells so of all secrets.
    case comparisonOfAll(ApprovalQuestion)
    /// Changes what is kept, and no later verdict.
    case change
    /// Believes a person, or never believes the key of a host again.
    case trust(ApprovalQuestion)
    /// Changes what later verdicts are: rules, the conditions of a key, which host is trusted, or where a name leads that
    /// rules and conditions go by.
    case decidesLater(ApprovalQuestion)
    /// Two of these at once.
    indirect case both(Self, Self)

    /// The one, or each of several.
    public var parts: [Self] {
        guard case .both(let first, let second) = self else { return [self] }
        return first.parts + second.parts
    }

    /// As Schemas/operations.md spells it.
    public var word: String {
        switch self {
        case .names: "names"
        case .use: "use"
        case .values: "values"
        case .everything: "everything"
        case .comparison: "comparison"
        case .comparisonOfAll: "comparison-of-all"
        case .change: "change"
        case .trust: "trust"
        case .decidesLater: "decides-later"
        case .both(let first, let second): "\(first.word) and \(second.word)"
        }
    }

    /// What is asked about it; nil where nothing ever is.
    public var question: ApprovalQuestion? {
        switch self {
        case .names, .change: nil
        case .use(let question), .values(let question), .everything(let question), .comparison(let question),
            .comparisonOfAll(let question), .trust(let question), .decidesLater(let question):
            question
        case .both(let first, let second): first.question ?? second.question
        }
    }
}

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
