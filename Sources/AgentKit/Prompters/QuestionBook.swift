internal import AgentProtocol
internal import Synchronization
package import VaultCrypto

/// Records the waiting approval prompts of a prompter, so that a person elsewhere can answer them.
///
/// The first answer counts: the prompter's, or the one from elsewhere, which also closes the prompter's prompt.
package final class QuestionBook: Prompter {
    /// A waiting prompt.
    struct Waiting: Sendable {
        let question: ConfirmQuestion
        /// The start time, in seconds of the steady clock.
        let since: UInt64
        /// Ends with the prompt.
        let interest: Cancellation
        fileprivate var answer: Confirmation?

        fileprivate var isOpen: Bool { answer == nil && !interest.isCancelled }
    }

    private struct State {
        /// The next number; numbers are not reused.
        var next: UInt64 = 1
        var waiting: [UInt64: Waiting] = [:]
    }

    private let prompter: any Prompter
    private let state = Mutex(State())

    /// Creates a book before a prompter.
    package init(_ prompter: any Prompter) { self.prompter = prompter }

    package func passphrase(
        _ question: PassphraseQuestion,
        _ cancellation: Cancellation
    ) throws(PromptError) -> Secret {
        try prompter.passphrase(question, cancellation)
    }

    package func touch(_ question: PassphraseQuestion, _ cancellation: Cancellation) throws(PromptError) {
        try prompter.touch(question, cancellation)
    }

    package func confirm(
        _ question: ConfirmQuestion,
        _ cancellation: Cancellation
    ) throws(PromptError) -> Confirmation {
        guard let interest = try? Cancellation(under: [cancellation]) else { throw .noResources }
        let number = state.withLock { state in
            defer { state.next += 1 }
            state.waiting[state.next] = Waiting(question: question, since: BootTime.now(), interest: interest)
            return state.next
        }
        let shown = Result { () throws(PromptError) in try prompter.confirm(question, interest) }
        let answer = state.withLock { $0.waiting.removeValue(forKey: number)?.answer }
        // A person elsewhere may be about to answer.
        interest.cancel()
        if let answer { return answer }
        return try shown.get()
    }

    /// Returns the waiting prompts, the oldest first.
    func list() -> [WaitingRequest] {
        let now = BootTime.now()
        return state.withLock { $0.waiting }.filter { $0.value.isOpen }.sorted { $0.key < $1.key }
            .map { number, waiting in
                WaitingRequest(
                    number: number,
                    seconds: now - min(now, waiting.since),
                    title: waiting.question.title,
                    lines: waiting.question.lines,
                    longer: waiting.question.longer.map { LongerAnswer(word: $0.word, meaning: $0.meaning) }
                )
            }
    }

    /// - Throws: `unknownRequest` if no such question waits.
    func waiting(_ number: UInt64) throws(Refusal) -> Waiting {
        guard let waiting = state.withLock({ $0.waiting[number] }), waiting.isOpen else {
            throw .unknownRequest
        }
        return waiting
    }

    /// Answers a prompt from elsewhere.
    ///
    /// - Parameters:
    /// - number: the number of the prompt.
    /// - said: the answer.
    /// - record: logs the answer to the prompt with this title, before the answer counts.
    /// - Throws: `unknownRequest` if no such prompt is waiting; `brokenProtocol` for a longer choice that it does not
    ///   offer; the errors of `record`.
    func answer(
        _ number: UInt64,
        _ said: RequestAnswer,
        _ record: (String) throws(Refusal) -> Void = { _ in }
    ) throws(Refusal) {
        try state.withLock { state throws(Refusal) in
            guard let waiting = state.waiting[number], waiting.isOpen else { throw .unknownRequest }
            guard let answer = waiting.question.answer(said) else { throw .brokenProtocol }
            try record(waiting.question.title)
            state.waiting[number]?.answer = answer
            waiting.interest.cancel()
        }
    }
}

extension ConfirmQuestion {
    /// Converts an answer from elsewhere; nil if the prompt does not offer it.
    fileprivate func answer(_ said: RequestAnswer) -> Confirmation? {
        switch said {
        case .deny: .deny
        case .once: .once
        case .longer: longer.map { answer($0.word) }
        }
    }
}
