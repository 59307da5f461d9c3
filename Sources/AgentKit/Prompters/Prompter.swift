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

/// Why a question has no answer.
///
/// Nothing of what was typed, and nothing that a helper program said, is in it.
package enum PromptError: Error, Equatable, Sendable {
    /// No one can be asked: no display, no terminal, no helper program, or questions are not allowed.
    case nobody
    /// The person closed the question.
    case refused
    /// The person typed nothing.
    case empty
    /// No one answered in time.
    case timedOut(seconds: Int)
    /// Anyone who wanted the answer has gone, or the agent locks or stops.
    case cancelled
    /// The helper program ended without an answer.
    case failed(status: Int32)
    /// The helper program said something that its protocol does not have.
    case malformed
    /// The helper program said more than an answer can have.
    case tooLong
    /// The question was never shown: anyone who wanted the answer has gone, or waited these seconds for another
    /// question to end.
    case unseen(seconds: Int?)
    /// No memory, thread or process left.
    case noResources
}

/// A question for a passphrase or a PIN.
///
/// What came from outside is in these texts only as `SafeText` lets it through.
package struct PassphraseQuestion: Equatable, Sendable {
    /// What is typed.
    package enum Kind: String, Sendable {
        case passphrase
        /// The PIN of a key slot; an empty answer asks for the passphrase.
        case pin = "PIN"
        /// Nothing: a security key is touched, or the passphrase is typed instead.
        case touch
        /// Nothing: a security key is touched, and no other way leads there.
        case touchAlone
    }

    /// What is typed.
    package var kind: Kind
    /// One line, without a colon at its end: `passphrase of the vault “work”`.
    package var title: String
    /// What the person should know first, a line each: who asks and for what.
    package var lines: [String]
    /// 1 for the first time; above that the secret before was wrong.
    package var attempt: Int

    package init(_ kind: Kind = .passphrase, title: String, lines: [String] = [], attempt: Int = 1) {
        self.kind = kind
        self.title = title
        self.lines = lines
        self.attempt = attempt
    }
}

/// What a person said to a question for yes or no.
package enum Confirmation: Equatable, Sendable {
    /// No, or the question was closed.
    case deny
    /// Yes, this one time.
    case once
    /// Yes, and so for the next seconds; only if the question offered that.
    case remember(seconds: Int)
    /// Yes, for as long as the question offered.
    case lasting
}
