/// The effect of a vault operation on the contents of the vault.
///
/// Together with the requester and the objects it determines the decision. An exposure that may need a prompt has the
/// words of the prompt.
public enum Exposure: Hashable, Sendable {
    /// Reads names, numbers and public halves.
    case names
    /// Uses a secret without returning it: encrypts or decrypts a message, or signs.
    case use(ApprovalQuestion)
    /// Returns the named secrets.
    case values(ApprovalQuestion)
    /// Returns all secrets, including the named ones.
    case everything(ApprovalQuestion)
    /// Tells whether a given value equals that of a named secret.
    case comparison(ApprovalQuestion)
    /// Compares a given value with all secrets.
    case comparisonOfAll(ApprovalQuestion)
    /// Changes contents of the vault, but no later decision.
    case change
    /// Trusts a contact, or permanently distrusts a host key.
    case trust(ApprovalQuestion)
    /// Changes later decisions: rules, the conditions of a key, the trusted hosts, or a name that rules and
    /// conditions refer to.
    case decidesLater(ApprovalQuestion)
    /// Two exposures at once.
    indirect case both(Self, Self)

    /// The parts: several for a combination, otherwise the exposure itself.
    public var parts: [Self] {
        guard case .both(let first, let second) = self else { return [self] }
        return first.parts + second.parts
    }

    /// The word in Schemas/operations.md.
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

    /// The words of the prompt; nil if the operation never needs one.
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

/// The words of a prompt about an operation, after “Allow … to”.
public struct ApprovalQuestion: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The words; `%1` stands for the first name, `%2` for the second.
    private let words: String
    /// The words for an operation on something without a name.
    private let nameless: String

    /// Creates words with an alternative for objects without a name.
    public init(_ words: String, nameless: String) {
        self.words = words
        self.nameless = nameless
    }

    /// Creates words without an alternative.
    public init(stringLiteral words: String) {
        self.init(words, nameless: words)
    }

    /// Whether the words show two names, each in its own part.
    public var namesTwo: Bool { words.contains("%2") }

    /// Returns the words with names inserted.
    ///
    /// - Parameters:
    /// - names: the names for `%1` and `%2`.
    /// - shown: converts a name for display.
    /// - Returns: the words; an empty or missing name becomes “without a name”.
    public func text(_ names: [String], shown: (String) -> String) -> String {
        let hasName = names.first.map { !$0.isEmpty } ?? false
        var text = ""
        var rest = (hasName ? words : nameless)[...]
        // Inserted names are not searched for marks.
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
