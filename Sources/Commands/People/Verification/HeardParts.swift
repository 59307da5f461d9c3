internal import HSIP
internal import Presentation
internal import VaultKit

/// Asks for parts of a number, or words, that the other side reads aloud.
///
/// Anyone in the middle can compute a number, and so can send it. So the person types some of what they hear, and
/// which parts is decided when they are asked: one line that was sent along does not answer it.
struct HeardParts {
    /// A slip is forgiven twice.
    private static let tries = 3

    let context: Context
    /// What is compared, part by part.
    let parts: [String]
    /// What a part is called: groups, words.
    let what: String

    /// Whether two parts that are drawn at random are those that the other reads aloud.
    ///
    /// - Parameter request: What the other person is asked to do, a sentence.
    /// - Returns: False where the person says no.
    /// - Throws: `verifyMismatch` when something else was heard three times; `inputNeeded` without a
    ///   terminal.
    func areHeard(_ request: String) throws -> Bool {
        for _ in 0..<Self.tries {
            let drawn = parts.indices.shuffled().prefix(2).sorted()
            let places = drawn.map { "\($0 + 1)" }.joined(separator: " and ")
            let heard = try context.terminal.ask(
                "\(request) Type \(what) \(places) as you hear them (Enter = no)",
                flag: nil,
                flushesTypeAhead: true
            )
            let bare = heard.lowercased().filter { !$0.isWhitespace && $0 != "-" }
            if bare.isEmpty || bare == "n" || bare == "no" { return false }
            if bare == drawn.map({ parts[$0] }).joined() { return true }
            context.output.say(
                "\(what.prefix(1).uppercased())\(what.dropFirst()) \(places) are different here."
            )
        }
        throw VaultError.hsip(.verifyMismatch)
    }
}
