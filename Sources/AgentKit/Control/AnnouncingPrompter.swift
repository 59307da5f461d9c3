internal import VaultCrypto

/// Tells a client where its question stands before it is asked somewhere else than at the client's terminal.
struct AnnouncingPrompter: Prompter {
    private let prompter: any Prompter
    private let announce: @Sendable () -> Void

    init(_ prompter: any Prompter, announce: @escaping @Sendable () -> Void) {
        (self.prompter, self.announce) = (prompter, announce)
    }

    func passphrase(
        _ question: PassphraseQuestion,
        _ cancellation: Cancellation
    ) throws(PromptError) -> Secret {
        announce()
        return try prompter.passphrase(question, cancellation)
    }

    func confirm(
        _ question: ConfirmQuestion,
        _ cancellation: Cancellation
    ) throws(PromptError) -> Confirmation {
        announce()
        return try prompter.confirm(question, cancellation)
    }
}
