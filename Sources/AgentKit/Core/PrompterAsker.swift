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
