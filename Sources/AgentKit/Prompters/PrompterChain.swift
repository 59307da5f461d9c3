package import VaultCrypto

/// Prompters in order: the first that reaches the person asks.
///
/// One that reaches no one, or that breaks, passes the question on; what a person said is never asked again.
package struct PrompterChain: Prompter {
    private let prompters: [any Prompter]

    /// A chain; an empty one reaches no one.
    package init(_ prompters: [any Prompter]) {
        self.prompters = prompters
    }

    package func passphrase(
        _ question: PassphraseQuestion,
        _ cancellation: Cancellation
    ) throws(PromptError) -> Secret {
        try first { prompter throws(PromptError) in try prompter.passphrase(question, cancellation) }
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
        case .nobody, .refused, .timedOut, .cancelled, .unseen, .noResources: false
        }
    }
}
