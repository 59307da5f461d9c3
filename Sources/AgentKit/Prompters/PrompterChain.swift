package import AgentProtocol
package import VaultCrypto

/// A sequence of prompters: the first one that reaches the person asks.
///
/// A prompter that reaches nobody, or that fails, passes the prompt on. A person's answer is final.
package struct PrompterChain: Prompter {
    private let prompters: [any Prompter]

    /// Creates a chain; an empty one reaches nobody.
    package init(_ prompters: [any Prompter]) {
        self.prompters = prompters
    }

    package func passphrase(
        _ question: PassphraseQuestion,
        _ cancellation: Cancellation
    ) throws(PromptError) -> Secret {
        try first { prompter throws(PromptError) in try prompter.passphrase(question, cancellation) }
    }

    package func touch(_ question: PassphraseQuestion, _ cancellation: Cancellation) throws(PromptError) {
        try first { prompter throws(PromptError) in try prompter.touch(question, cancellation) }
    }

    package func confirm(
        _ question: ConfirmQuestion,
        _ cancellation: Cancellation
    ) throws(PromptError) -> Confirmation {
        try first { prompter throws(PromptError) in try prompter.confirm(question, cancellation) }
    }

    private func first<R>(_ ask: (any Prompter) throws(PromptError) -> R) throws(PromptError) -> R {
        var failure = PromptError.nobody
        for prompter in prompters {
            do throws(PromptError) {
                return try ask(prompter)
            } catch .nobody {
                continue
            } catch {
                guard Self.isBroken(error) else { throw error }
                failure = error
            }
        }
        throw failure
    }

    private static func isBroken(_ error: PromptError) -> Bool {
        switch error {
        case .failed, .malformed, .tooLong: true
        case .nobody, .refused, .empty, .timedOut, .cancelled, .unseen, .noResources: false
        }
    }
}

extension PrompterChain {
    /// Returns the agent's own prompters for callers without a terminal: the terminal of the place if it has no
    /// display, then pinentry, then `$SSH_ASKPASS` for approvals, and systemd if nobody is logged in.
    ///
    /// One prompt is shown at a time.
    package static func ofAgent(
        _ choice: PromptChoice,
        at place: PromptPlace
    ) throws(PromptError) -> any Prompter {
        let ways: [any Prompter] = [TerminalPrompter(place: place), PinentryPrompter(place: place)]
        switch choice {
        case .terminal, .pinentry: return try PromptQueue(PrompterChain(ways))
        case .auto:
            let last: [any Prompter] = place.isUnattended ? [SystemdPrompter(place: place)] : []
            return try PromptQueue(PrompterChain(ways + [AskpassPrompter(place: place)] + last))
        }
    }
}

extension PromptPlace {
    /// Whether this is a service without a login: nobody looks at a display, and systemd has agents that ask.
    var isUnattended: Bool { setting("INVOCATION_ID") != nil && setting("XDG_RUNTIME_DIR") == nil }

    /// Returns the place at which such a prompter currently asks, and its display or device.
    package func reach(_ choice: PromptChoice) -> (place: QuestionPlace, at: String?) {
        if pinentry != nil {
            if hasDisplay { return (.window, self["WAYLAND_DISPLAY"] ?? self["DISPLAY"]) }
            if let terminal { return (.terminal, terminal.path) }
        }
        guard choice == .auto else { return (.nobody, nil) }
        if hasDisplay, AskpassPrompter(place: self).isThere { return (.window, self["DISPLAY"]) }
        return isUnattended && program("systemd-ask-password") != nil ? (.console, nil) : (.nobody, nil)
    }
}
