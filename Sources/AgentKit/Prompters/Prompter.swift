package import VaultCrypto

/// Something that can ask the person in front of the machine.
///
/// Called on threads of one's own, as the answer may take minutes. Every prompter has a deadline, gives up at once
/// when the interest in the answer is over, and leaves no program behind.
package protocol Prompter: Sendable {
    /// Asks for a passphrase or a PIN.
    ///
    /// - Returns: what was typed, which is never empty.
    /// - Throws: `refused` when the person closed the question, `empty` when they typed nothing; `nobody` when this
    ///   prompter can reach no person.
    func passphrase(
        _ question: PassphraseQuestion,
        _ cancellation: Cancellation
    ) throws(PromptError) -> Secret

    /// Shows what has to be touched, until `cancellation` is over or the person wants to type the passphrase.
    ///
    /// - Throws: as `passphrase`; `cancelled` once the key was touched. A question `touchAlone` always ends so.
    func touch(_ question: PassphraseQuestion, _ cancellation: Cancellation) throws(PromptError)

    /// Asks for a yes or a no. Everything that is not clearly a yes is a no.
    ///
    /// - Throws: not for a no, which is an answer; `nobody` when this prompter can reach no person.
    func confirm(
        _ question: ConfirmQuestion,
        _ cancellation: Cancellation
    ) throws(PromptError) -> Confirmation
}

extension Prompter {
    /// Refuses: a prompter that cannot hide what is typed leaves passphrases to pinentry, which also keeps them out of
    /// memory that may be swapped.
    package func passphrase(
        _ question: PassphraseQuestion,
        _ cancellation: Cancellation
    ) throws(PromptError) -> Secret {
        throw .nobody
    }

    /// Shows nothing.
    package func touch(_ question: PassphraseQuestion, _ cancellation: Cancellation) throws(PromptError) {
        throw .nobody
    }
}
