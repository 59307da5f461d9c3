internal import Text

/// A prompt for approval.
///
/// Foreign text is part of it only after `SafeText` has cleaned it.
package struct ConfirmQuestion: Equatable, Sendable {
    /// One line that ends with a question mark.
    package var title: String
    /// The lines above the prompt: who asks, with which key, and for which destination.
    package var lines: [String]
    /// The longer choice; nil if an approval holds once only.
    package var longer: LongerYes?

    package init(title: String, lines: [String] = [], longer: LongerYes? = nil) {
        self.title = title
        self.lines = lines
        self.longer = longer
    }

    /// The seconds for which an approval may hold; nil if the prompt does not offer that.
    package var remember: Int? { if case .seconds(let seconds)? = longer { seconds } else { nil } }

    /// The length of the longest meaningful answer in bytes.
    static let longestAnswer = 16

    /// The lines that explain how to answer by typing a word.
    ///
    /// A word is necessary because the caller cannot choose the button for Enter: in pinentry-gnome3 and curses Enter
    /// allows, and gnome3 has no third button.
    var howToAllow: [String] {
        guard let longer else { return ["Type yes to allow it. Enter alone refuses."] }
        return ["Type yes to allow it once. Enter alone refuses.", "Type \(longer.word) \(longer.meaning)."]
    }

    /// The choices at a terminal, where a letter suffices: `[y/a/N]`.
    var keys: String { "[y/\(longer.map { "\($0.word.prefix(1))/" } ?? "")N]" }

    /// Interprets a typed answer; everything except a clear approval is a refusal.
    ///
    /// - Parameters:
    /// - typed: the typed text.
    /// - takesLetters: whether the first letter of a word suffices.
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

/// An approval that holds longer than once.
package enum LongerYes: Equatable, Sendable {
    /// For the same act, for some seconds.
    case seconds(Int)
    /// Until the vault locks; the text says who may do what: `“x” may read “y”`.
    case session(String)
    /// Permanently, with such a text.
    case always(String)

    /// The word to type for it; each begins with another letter.
    var word: String {
        switch self {
        case .seconds: "longer"
        case .session: "session"
        case .always: "always"
        }
    }

    /// Its meaning, after `Type always `.
    var meaning: String {
        switch self {
        case .seconds(let seconds): "to allow the same without asking for \(Durations.rough(Int64(seconds)))"
        case .session(let text): "if \(text) without asking until the vault locks"
        case .always(let text): "if \(text) from now on without asking"
        }
    }
}
