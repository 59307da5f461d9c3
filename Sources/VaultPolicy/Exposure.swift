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
    /// Changes what later verdicts are: rules, the conditions of a key, which host is believed, or where a name leads that
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
