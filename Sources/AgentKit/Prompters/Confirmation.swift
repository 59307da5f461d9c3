/// What a person said to a question for yes or no.
package enum Confirmation: Equatable, Sendable {
    /// No, or the question was closed.
    case deny
    /// Yes, this one time.
    case once
    /// Yes, and so for the next seconds; only if the question offered that.
    case remember(seconds: Int)
    /// Yes, for as long as the question offered.
    case lasting
}
