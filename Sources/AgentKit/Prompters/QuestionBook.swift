internal import AgentProtocol
internal import Synchronization
package import VaultCrypto

/// Keeps which questions for a yes or a no wait in a prompter, so that a person elsewhere can answer them.
///
/// One answer wins: the prompter's, or the one from elsewhere, which also ends the prompter's question.
package final class QuestionBook: Prompter {
    /// A question that waits.
    struct Waiting: Sendable {
        let question: ConfirmQuestion
        /// When it was asked, in seconds of the steady clock.
        let since: UInt64
        /// Over when the question is.
        let interest: Cancellation
        fileprivate var answer: Confirmation?

        fileprivate var isOpen: Bool { answer == nil && !interest.isCancelled }
    }

    private struct State {
        /// The next number; none is used twice.
        var next: UInt64 = 1
        var waiting: [UInt64: Waiting] = [:]
    }

    private let prompter: any Prompter
    private let state = Mutex(State())

    /// A book before a prompter.
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
        // Somebody elsewhere may be about to answer.
        interest.cancel()
        if let answer { return answer }
        return try shown.get()
    }

    /// The questions that wait, the oldest first.
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

    /// Answers a question from elsewhere.
    ///
    /// - Parameters:
    ///   - number: the number of the question.
    ///   - said: the answer.
    ///   - record: writes down the answer to the question of this title, before it counts.
    /// - Throws: `unknownRequest` if no such question waits; `brokenProtocol` for a longer yes that it does not offer; what
    ///   `record` throws.
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
    /// What an answer from elsewhere means; nil if the question does not offer it.
    fileprivate func answer(_ said: RequestAnswer) -> Confirmation? {
        switch said {
        case .deny: .deny
        case .once: .once
        case .longer: longer.map { answer($0.word) }
        }
    }
}
