internal import AgentProtocol

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
