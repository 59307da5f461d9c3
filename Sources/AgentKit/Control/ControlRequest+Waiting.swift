internal import AgentProtocol

/// Answers from elsewhere to prompts that wait in a window of the agent.
extension ControlRequest {
    private var parts: ControlParts { connection.handler.parts }

    /// Returns the waiting requests.
    func requests() throws(AgentError) -> [WaitingRequest] {
        try checkOwn()
        return parts.questions.list()
    }

    /// Answers a request for which the client proved the vault's secret; without an answer, the client proves it now.
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

    /// Starting hsip in a terminal does not prove that the person is present; the vault's secret does.
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
