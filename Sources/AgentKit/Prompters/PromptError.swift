/// Why a question has no answer.
///
/// Nothing of what was typed, and nothing that a helper program said, is in it.
package enum PromptError: Error, Equatable, Sendable {
    /// No one can be asked: no display, no terminal, no helper program, or questions are not allowed.
    case nobody
    /// The person closed the question.
    case refused
    /// The person typed nothing.
    case empty
    /// No one answered in time.
    case timedOut(seconds: Int)
    /// Anyone who wanted the answer has gone, or the agent locks or stops.
    case cancelled
    /// The helper program ended without an answer.
    case failed(status: Int32)
    /// The helper program said something that its protocol does not have.
    case malformed
    /// The helper program said more than an answer can have.
    case tooLong
    /// The question was never shown: anyone who wanted the answer has gone, or waited these seconds for another
    /// question to end.
    case unseen(seconds: Int?)
    /// No memory, thread or process left.
    case noResources
}
