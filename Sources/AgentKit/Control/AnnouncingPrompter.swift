internal import Synchronization
internal import VaultCrypto

/// Tells a client where its question stands before it is asked somewhere else than at the client's terminal.
///
/// It tells this once for the passphrase and once for the rest of a request, however many tries or pages there are.
final class AnnouncingPrompter: Prompter {
    private let prompter: any Prompter
    private let announce: @Sendable (_ isPassphrase: Bool) -> Void
    private let said = Mutex<Set<Bool>>([])

    /// `announce` learns whether the question is for the passphrase.
    init(_ prompter: any Prompter, announce: @escaping @Sendable (_ isPassphrase: Bool) -> Void) {
        (self.prompter, self.announce) = (prompter, announce)
    }

    func passphrase(
        _ question: PassphraseQuestion,
        _ cancellation: Cancellation
    ) throws(PromptError) -> Secret {
        announceOnce(isPassphrase: true)
        return try prompter.passphrase(question, cancellation)
    }

    func touch(_ question: PassphraseQuestion, _ cancellation: Cancellation) throws(PromptError) {
        announceOnce(isPassphrase: true)
        try prompter.touch(question, cancellation)
    }

    func confirm(
        _ question: ConfirmQuestion,
        _ cancellation: Cancellation
    ) throws(PromptError) -> Confirmation {
        announceOnce(isPassphrase: false)
        return try prompter.confirm(question, cancellation)
    }

    private func announceOnce(isPassphrase: Bool) {
        guard said.withLock({ $0.insert(isPassphrase).inserted }) else { return }
        announce(isPassphrase)
    }
}
