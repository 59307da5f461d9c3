internal import Text

/// A question that is answered with yes or no.
///
/// What came from outside is in these texts only as `SafeText` lets it through.
package struct ConfirmQuestion: Equatable, Sendable {
    /// One line that ends with a question mark.
    package var title: String
    /// What the person should know first, a line each: who asks, with which key, where to.
    package var lines: [String]
    /// The yes that holds longer; nil if a yes is for this one time only.
    package var longer: LongerYes?

    package init(title: String, lines: [String] = [], longer: LongerYes? = nil) {
        self.title = title
        self.lines = lines
        self.longer = longer
    }

    /// Seconds for which a yes may hold; nil if the question offers none.
    package var remember: Int? { if case .seconds(let seconds)? = longer { seconds } else { nil } }

    /// The longest answer that means something, in bytes.
    static let longestAnswer = 16

    /// How the question is answered if a word is typed, a line each.
    ///
    /// A word, because the caller cannot choose the button that Enter means: in pinentry-gnome3 and curses it allows, and
    /// gnome3 has no third button.
    var howToAllow: [String] {
        guard let longer else { return ["Type yes to allow it. Enter alone refuses."] }
        return ["Type yes to allow it once. Enter alone refuses.", "Type \(longer.word) \(longer.meaning)."]
    }

    /// The same at a terminal, where a letter is enough: `[y/a/N]`.
    var keys: String { "[y/\(longer.map { "\($0.word.prefix(1))/" } ?? "")N]" }

    /// What a typed answer means: everything that is not clearly a yes is a no.
    ///
    /// - Parameters:
    ///   - typed: what was typed.
    ///   - takesLetters: whether the first letter of a word is enough.
    /// - Returns: the answer.
    func answer(_ typed: String, takesLetters: Bool = false) -> Confirmation {
        func means(_ word: String) -> Bool {
            let typed = typed.lowercased()
            return typed == word || takesLetters && typed == String(word.prefix(1))
        }
        if means("yes") { return .once }
        guard let longer, means(longer.word) else { return .deny }
        if case .seconds(let seconds) = longer { return .remember(seconds: seconds) }
        return .lasting
    }
}

/// A yes that holds longer than once.
package enum LongerYes: Equatable, Sendable {
    /// For the same act, for some seconds.
    case seconds(Int)
    /// Until the vault locks; the text says for whom and for what: `“x” may read “y”`.
    case session(String)
    /// From now on, with such a text.
    case always(String)

    /// The word that is typed for it; each begins with another letter.
    var word: String {
        switch self {
        case .seconds: "longer"
        case .session: "session"
        case .always: "always"
        }
    }

    /// What it means, after `Type always `.
    var meaning: String {
        switch self {
        case .seconds(let seconds): "to allow the same without asking for \(Durations.rough(Int64(seconds)))"
        case .session(let text): "if \(text) without asking until the vault locks"
        case .always(let text): "if \(text) from now on without asking"
        }
    }
}
