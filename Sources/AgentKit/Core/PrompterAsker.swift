package import AgentProtocol
package import VaultCrypto

/// Asks for the vault's secret through a prompter.
package struct PrompterAsker: UnlockAsker {
    package let tries: Int
    private let prompter: any Prompter
    private let lines: [String]
    private let opened: @Sendable () -> Void
    package let speaksForAll: Bool
    package let isAtDesktop: Bool
    private let waiting: @Sendable () -> Void
    private let asking: @Sendable () throws(Refusal) -> Void
    private let unseen: @Sendable () -> Void

    /// Asks through a prompter.
    ///
    /// - Parameters:
    ///   - prompter: shows the question.
    ///   - tries: how many secrets the person may give until one is right.
    ///   - lines: what the person should know first: who wants the vault open.
    ///   - speaksForAll: whether a no holds for all who wait, or for this one alone.
    ///   - isAtDesktop: whether a question at the desktop would reach the person.
    ///   - waiting: told when another person is being asked.
    ///   - asking: told when the person of this caller is about to be asked, which it may refuse.
    ///   - unseen: told when the person was not asked after all.
    ///   - opened: told when what was typed has opened the vault.
    package init(
        _ prompter: any Prompter,
        tries: Int,
        lines: [String] = [],
        speaksForAll: Bool = true,
        isAtDesktop: Bool = true,
        waiting: @escaping @Sendable () -> Void,
        asking: @escaping @Sendable () throws(Refusal) -> Void = {},
        unseen: @escaping @Sendable () -> Void = {},
        opened: @escaping @Sendable () -> Void
    ) {
        self.speaksForAll = speaksForAll
        self.isAtDesktop = isAtDesktop
        self.waiting = waiting
        self.asking = asking
        self.unseen = unseen
        self.prompter = prompter
        self.tries = tries
        self.lines = lines
        self.opened = opened
    }

    package func accepted() { opened() }

    package func waits() { waiting() }

    package func secret(
        attempt: Int,
        of vault: String,
        _ cancellation: Cancellation
    ) throws(Refusal) -> Secret {
        let name = vault == "vault" ? "" : " of \(vault)"
        try asking()
        let question = PassphraseQuestion(
            title: "Passphrase or recovery code\(name)",
            lines: lines,
            attempt: attempt
        )
        do throws(PromptError) {
            return try prompter.passphrase(question, cancellation)
        } catch {
            if case .unseen = error { unseen() }
            throw Refusal(error)
        }
    }
}

extension Refusal {
    /// What it means for a request that its question has no answer.
    package init(_ error: PromptError) {
        self =
            switch error {
            case .nobody, .failed, .malformed, .tooLong: .locked
            case .refused: .dismissed
            case .timedOut, .unseen(seconds: _?): .late
            case .cancelled, .unseen(seconds: nil): .cancelled
            case .noResources: .exhausted
            }
    }
}

extension PrompterAsker {
    /// Asks for the vault's secret because of a client of the control socket.
    ///
    /// A terminal gets three tries and knows what it was asked to do; in a window the question says who asks.
    init(_ prompter: any Prompter, for caller: ControlCaller, _ parts: ControlParts) {
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
                waiting: {},
                opened: {}
            )
            return
        }
        let there = prompter as? ConnectionPrompter
        self.init(
            prompter,
            tries: 3,
            speaksForAll: false,
            isAtDesktop: isAtDesktop,
            waiting: { there?.tellWaiting() },
            opened: { parts.proved(caller) }
        )
    }

    /// Asks for it because of a program on the bus, which the question names.
    init(_ prompter: any Prompter, for program: BusCaller, _ window: BusWindow) {
        self.init(
            prompter,
            tries: 1,
            lines: QuestionText.waiting(for: program.requester),
            waiting: program.asks,
            asking: { () throws(Refusal) in
                try window.show()
                program.asks()
            },
            unseen: window.unseen,
            opened: {}
        )
    }
}
