package import AgentProtocol
package import VaultCrypto

/// Asks for the vault's secret with a prompter.
package struct PrompterAsker: UnlockAsker {
    package let tries: Int
    private let asksPIN: Bool
    private let prompter: any Prompter
    private let lines: [String]
    private let opened: @Sendable () -> Void
    package let speaksForAll: Bool
    package let isAtDesktop: Bool
    private let waiting: @Sendable (QuestionSpot?) -> Void
    private let appears: @Sendable () -> QuestionSpot?
    private let asking: @Sendable () throws(Refusal) -> Void
    private let unseen: @Sendable () -> Void

    /// Creates an asker with a prompter.
    ///
    /// - Parameters:
    /// - prompter: shows the prompt.
    /// - tries: the number of secrets that the person may try.
    /// - lines: lines above the prompt that tell who needs the vault.
    /// - asksPIN: whether the prompter can ask for a PIN or a touch.
    /// - speaksForAll: whether a refusal applies to all waiting callers, or to this one alone.
    /// - isAtDesktop: whether a prompt on the desktop would reach the person.
    /// - spot: the place of its prompt.
    /// - waiting: called with the place if another person is being asked.
    /// - asking: called before the person of this caller is asked; it may refuse.
    /// - unseen: called if the person was not asked after all.
    /// - opened: called if the typed secret opened the vault.
    package init(
        _ prompter: any Prompter,
        tries: Int,
        lines: [String] = [],
        asksPIN: Bool = true,
        speaksForAll: Bool = true,
        isAtDesktop: Bool = true,
        spot: @escaping @Sendable () -> QuestionSpot? = { nil },
        waiting: @escaping @Sendable (QuestionSpot?) -> Void = { _ in },
        asking: @escaping @Sendable () throws(Refusal) -> Void = {},
        unseen: @escaping @Sendable () -> Void = {},
        opened: @escaping @Sendable () -> Void
    ) {
        self.asksPIN = asksPIN
        self.speaksForAll = speaksForAll
        self.isAtDesktop = isAtDesktop
        self.waiting = waiting
        appears = spot
        self.asking = asking
        self.unseen = unseen
        self.prompter = prompter
        self.tries = tries
        self.lines = lines
        self.opened = opened
    }

    package func accepted() { opened() }

    package var spot: QuestionSpot? { appears() }

    package func waits(at spot: QuestionSpot?) { waiting(spot) }

    package func secret(
        attempt: Int,
        of vault: String,
        _ cancellation: Cancellation
    ) throws(Refusal) -> Secret {
        let name = vault == "vault" ? "" : " of \(vault)"
        let question = PassphraseQuestion(
            title: "Passphrase or recovery code\(name)",
            lines: lines,
            attempt: attempt
        )
        try asking()
        do throws(PromptError) { return try ask(question, cancellation) } catch { throw Refusal(error) }
    }

    package func pin(
        attempt: Int,
        of offer: SlotOffer,
        _ cancellation: Cancellation
    ) throws(Refusal) -> Secret? {
        guard asksPIN, let title = offer.pin else { return nil }
        let question = PassphraseQuestion(.pin, title: title, lines: lines, attempt: attempt)
        try asking()
        do throws(PromptError) { return try ask(question, cancellation) } catch .empty { return nil } catch {
            throw Refusal(error)
        }
    }

    package func touch(_ offer: SlotOffer, _ cancellation: Cancellation) throws(Refusal) {
        guard asksPIN, let title = offer.touch else { throw .locked }
        try asking()
        do throws(PromptError) {
            try prompter.touch(PassphraseQuestion(.touch, title: title, lines: lines), cancellation)
        } catch {
            if case .unseen = error { unseen() }
            throw Refusal(error)
        }
    }

    private func ask(
        _ question: PassphraseQuestion,
        _ cancellation: Cancellation
    ) throws(PromptError) -> Secret {
        do throws(PromptError) {
            return try prompter.passphrase(question, cancellation)
        } catch {
            if case .unseen = error { unseen() }
            throw error
        }
    }
}

extension Refusal {
    /// Converts the error of an unanswered prompt.
    package init(_ error: PromptError) {
        self =
            switch error {
            case .nobody, .failed, .malformed, .tooLong: .locked
            case .refused, .empty: .dismissed
            case .timedOut, .unseen(seconds: _?): .late
            case .cancelled, .unseen(seconds: nil): .cancelled
            case .noResources: .exhausted
            }
    }
}

extension PrompterAsker {
    /// Asks for the vault's secret for a client of the control socket.
    ///
    /// A terminal allows three tries, and its person knows which command needs the vault. A window says who asks.
    ///
    /// - Parameters:
    /// - prompter: shows the prompt.
    /// - caller: the client.
    /// - parts: the other parts of the agent.
    /// - spot: the place where the agent itself asks.
    /// - waiting: called with the place if another person is being asked.
    init(
        _ prompter: any Prompter,
        for caller: ControlCaller,
        _ parts: ControlParts,
        spot: @escaping @Sendable () -> QuestionSpot?,
        waiting: @escaping @Sendable (QuestionSpot?) -> Void
    ) {
        let variables = caller.hello.environment
        let isAtDesktop =
            variables["SSH_TTY"] == nil && ["DISPLAY", "WAYLAND_DISPLAY"].contains { variables[$0] != nil }
        guard caller.hello.asks == .terminal else {
            let lines = QuestionText.waiting(for: caller.peer)
            self.init(
                prompter,
                tries: 1,
                lines: lines,
                isAtDesktop: isAtDesktop,
                spot: spot,
                waiting: waiting,
                opened: {}
            )
            return
        }
        let pid = caller.peer.pid
        self.init(
            prompter,
            tries: 3,
            asksPIN: [Hello.pin, Hello.touch].allSatisfy { caller.hello.features.contains($0) },
            speaksForAll: false,
            isAtDesktop: isAtDesktop,
            spot: { ControllingTerminal(of: pid).flatMap { QuestionSpot(.terminal, $0.path) } },
            waiting: waiting,
            opened: { parts.proved(caller) }
        )
    }

    /// Asks for the vault's secret for a program on the bus, which the prompt names.
    init(_ prompter: any Prompter, for program: BusCaller, _ call: UInt64, _ limiter: RateLimiter) {
        self.init(
            prompter,
            tries: 1,
            lines: QuestionText.waiting(for: program.requester),
            waiting: { _ in program.asks() },
            asking: { () throws(Refusal) in
                try limiter.showWindow(of: call)
                program.asks()
            },
            unseen: { limiter.missedWindow(of: call) },
            opened: {}
        )
    }
}
