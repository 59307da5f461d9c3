internal import AgentProtocol

/// Answers from elsewhere to questions that wait in a window of the agent.
extension ControlRequest {
    private var parts: ControlParts { connection.handler.parts }

    /// The requests that wait.
    func requests() throws(AgentError) -> [WaitingRequest] {
        try checkOwn()
        return parts.questions.list()
    }

    /// Answers a request for which the client showed the vault's secret; without an answer the client shows it.
    func answerRequest(_ number: UInt64, _ answer: RequestAnswer?) throws(AgentError) {
        try checkOwn()
        guard caller.hello.asks == .terminal else { throw .refused(.answerNeedsPerson) }
        guard let answer else { return try prove(for: number) }
        guard connection.proved == number else { throw .refused(.brokenProtocol) }
        do throws(Refusal) {
            try parts.questions.answer(number, answer) { (title) throws(Refusal) in
                try parts.gate.recordAnswer(answer, to: title, by: caller)
            }
        } catch { throw .refused(error) }
    }

    private func checkOwn() throws(AgentError) {
        guard parts.isOwn(caller.peer) else { throw .refused(.onlyByOwn) }
        guard !isLeased else { throw .refused(.requestsInLease) }
    }

    /// Who can start hsip in a terminal is not yet the person: the vault's secret says so.
    private func prove(for number: UInt64) throws(AgentError) {
        let question: Cancellation
        do throws(Refusal) { question = try parts.questions.waiting(number).interest } catch {
            throw .refused(error)
        }
        guard let interest = try? Cancellation(under: [interest, question]) else {
            throw .refused(.exhausted)
        }
        let given = pending.secrets.count == 1 ? pending.secrets.first : nil
        do throws(AgentError) {
            _ = try parts.core.prove(given, asking: asker, by: caller.peer, interest) {
                connection.proved = number
            }
        } catch {
            if question.isCancelled { throw .refused(.unknownRequest) }
            throw error == .refused(.nothingToShow) ? .refused(.answerInWindow) : error
        }
    }
}
