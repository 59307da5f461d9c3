internal import AgentProtocol
internal import Secrets
internal import System

/// What the agent does for clients: the calls of each begin in their order.
extension Front {
    /// Seconds for which a call waits for a person; most libraries give up after 25.
    private static let patience = 120

    /// Has something done for a client when its turn comes, and goes on with its result on this thread, unless the client
    /// has gone.
    ///
    /// - Parameters:
    ///   - client: for whom.
    ///   - isCall: whether a call waits for it; else a prompt does, which has more time.
    ///   - act: what is done, elsewhere.
    ///   - then: what is done with its result.
    /// - Returns: its number; nil where too much is under way.
    @discardableResult
    func start<Value: Sendable>(
        for client: Client,
        isCall: Bool = true,
        _ act: @escaping @Sendable (AgentVault) async throws -> Value,
        _ then: @escaping (Result<Value, any Error>) -> Void
    ) -> UInt64? {
        guard case .known(let behalf) = client.standing, client.load < Client.calls else { return nil }
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

    /// What waits for a person lets the next call of its client begin.
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

    /// Ends what is done for a client; what has not begun is not heard of again.
    func cancel(_ number: UInt64, of client: Client) {
        if client.drop(number) { pending[number] = nil }
        client.tasks[number]?.cancel()
    }

    /// Has something done for a call, and answers it; what goes wrong is its refusal.
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

    /// Has something done at once where no person has to be asked, else behind a prompt.
    ///
    /// - Parameters:
    ///   - call: the call, which is answered with the outcome and no prompt, or the other way round.
    ///   - client: for whom.
    ///   - dismissed: what the prompt says where the person says no.
    ///   - opens: whether a locked vault is opened by the prompt; else it is an error.
    ///   - act: what is done.
    ///   - done: takes note of it, and says what comes of it.
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

/// Something that the agent does for a client, as the thread that owns the bus sees it.
final class Pending {
    weak let client: Client?
    /// Whether a call waits for it; else a prompt does.
    let isCall: Bool
    /// Goes on with the result.
    let finish: () -> Void

    init(client: Client, isCall: Bool, finish: @escaping () -> Void) {
        (self.client, self.isCall, self.finish) = (client, isCall, finish)
    }
}

extension AgentVault {
    /// Refuses where no person could answer a question: then a prompt would only be a no that is not said.
    ///
    /// For the passphrase there may be other ways to open the vault.
    func requirePerson(isLocked: Bool) async throws {
        guard !isLocked, let place = try await status()?.questions else { return }
        guard place == .window || place == .terminal else { throw CallFailure.nobody }
    }
}
