internal import AgentProtocol
internal import Secrets
internal import MessageBus

/// Runs the agent's work for clients: each client's calls begin in order.
extension Front {
    /// Seconds that a call waits for a person; most libraries give up after 25.
    private static let patience = 120

    /// Queues an operation for a client, and passes its result to `then` on this thread if the client is still there.
    ///
    /// - Parameters:
    ///   - client: the client that asked.
    ///   - isCall: whether a call waits for the result; otherwise a prompt does, which has more time.
    ///   - act: the operation; it runs on another thread.
    ///   - then: gets the result.
    /// - Returns: the number of the work; nil if the client has too much work under way.
    @discardableResult
    func start<Value: Sendable>(
        for client: Client,
        isCall: Bool = true,
        _ act: @escaping @Sendable (AgentVault) async throws -> Value,
        _ then: @escaping (Result<Value, any Error>) -> Void
    ) -> UInt64? {
        guard case .known(let behalf) = client.status, client.load < Client.calls else { return nil }
        number += 1
        let (number, mailbox, box) = (number, mailbox, ResultBox<Value>())
        let isPlain = client.sessions.values.contains { if case .plain = $0 { true } else { false } }
        let known = isPlain ? behalf.plain : behalf
        let vault = AgentVault(pool: pool, behalf: known) { mailbox.post(.asking(number)) }
        pending[number] = Pending(client: client, isCall: isCall) { [weak self, weak client] in
            guard let self, let client, let result = box.take() else { return }
            client.tasks[number] = nil
            client.waiting.remove(number)
            deadlines.remove("work \(number)")
            guard client === own || clients[client.name] === client else { return }
            then(result)
            client.pass(number)
        }
        client.queue.append(
            Client.Work(number: number) {
                Task(executorPreference: mailbox) {
                    do {
                        box.put(.success(try await act(vault)))
                    } catch {
                        box.put(.failure(error))
                    }
                    mailbox.post(.finished(number))
                }
            }
        )
        client.proceed()
        return number
    }

    /// Releases the client's queue while a call waits for approval.
    func stepAside(_ number: UInt64) {
        guard let work = pending[number], let client = work.client, !client.waiting.contains(number) else {
            return
        }
        client.pass(number)
        guard work.isCall else { return }
        client.waiting.insert(number)
        guard client.waiting.count <= Client.held else { return cancel(number, of: client) }
        deadlines.add("work \(number)", seconds: Self.patience) { [unowned self, weak client] in
            if let client { cancel(number, of: client) }
        }
    }

    /// Cancels a client's work; drops it if it has not begun.
    func cancel(_ number: UInt64, of client: Client) {
        if client.drop(number) { pending[number] = nil }
        client.tasks[number]?.cancel()
    }

    /// Runs an operation for a call and answers the call; an error becomes its refusal.
    func work<Value: Sendable>(
        _ call: BusMessage,
        for client: Client,
        _ act: @escaping @Sendable (AgentVault) async throws -> Value,
        _ then: @escaping (Value) throws -> Void
    ) {
        let number = start(for: client, act) { [unowned self] result in
            do { try then(try result.get()) } catch { refuse(call, error) }
        }
        if number == nil { refuse(call, CallFailure.tooMuch) }
    }

    /// Runs an operation at once if no question is needed, otherwise behind a prompt.
    ///
    /// - Parameters:
    ///   - call: the call; the answer is the outcome without a prompt, or a prompt without an outcome.
    ///   - client: the client that asked.
    ///   - dismissed: the outcome of a prompt that the person declines.
    ///   - opens: whether the prompt unlocks a locked vault; otherwise a locked vault is an error.
    ///   - act: the operation.
    ///   - done: records the result and returns its outcome.
    func workOrPrompt<Value: Sendable>(
        _ call: BusMessage,
        for client: Client,
        dismissed: Prompt.Outcome,
        opens: Bool = false,
        _ act: @escaping @Sendable (AgentVault) async throws -> Value,
        _ done: @escaping (Value) throws -> Prompt.Outcome
    ) {
        let number = start(for: client) { vault in
            do {
                return try await act(vault.unasked) as Value?
            } catch AgentError.refused(let refusal) where Self.isToAsk(refusal, opens) {
                try await vault.requirePerson(isLocked: refusal == .locked)
                return nil
            }
        } _: { [unowned self] result in
            do {
                if let value = try result.get() { return answer(call, try done(value), ObjectPath.none) }
                let prompt = try newPrompt(client, dismissed: dismissed) { [unowned self] path in
                    start(for: client, isCall: false) { vault in
                        if opens { try await vault.unlock() }
                        return try await act(vault)
                    } _: { [unowned self] result in
                        complete(path, try? done(result.get()), client)
                    }
                }
                answer(call, dismissed.empty, prompt)
            } catch {
                refuse(call, error)
            }
        }
        if number == nil { refuse(call, CallFailure.tooMuch) }
    }

    private func answer(_ call: BusMessage, _ outcome: Prompt.Outcome, _ prompt: String) {
        bus.answer(call) { reply in
            switch outcome {
            case .paths(let paths): reply.put(paths: paths)
            case .path(let path): reply.put(path, "o")
            case .done: break
            }
            reply.put(prompt, "o")
        }
    }

    private static func isToAsk(_ refusal: Refusal, _ opens: Bool) -> Bool {
        refusal.name == "nobodyToAsk" || opens && refusal.name == "locked"
    }
}

/// Work of the agent for a client, as seen by the thread that owns the bus.
final class Pending {
    weak let client: Client?
    /// Whether a call waits for the result; otherwise a prompt does.
    let isCall: Bool
    /// Continues with the result.
    let finish: () -> Void

    init(client: Client, isCall: Bool, finish: @escaping () -> Void) {
        (self.client, self.isCall, self.finish) = (client, isCall, finish)
    }
}

extension AgentVault {
    /// Throws `nobody` if no person can answer a question; a prompt would then only hide a refusal.
    ///
    /// A locked vault passes: other ways than a passphrase may unlock it.
    func requirePerson(isLocked: Bool) async throws {
        guard !isLocked, let place = try await status()?.questions else { return }
        guard place == .window || place == .terminal else { throw CallFailure.nobody }
    }
}
