internal import CLinux
internal import Glibc
internal import Synchronization
internal import System
package import VaultCrypto

/// Lets one question at a time through to a prompter, as two windows over each other are answered by mistake.
///
/// Anyone who waits stops waiting when its interest is over or when it has waited too long.
package final class PromptQueue: Prompter {
    /// Questions that may wait; more come from a program that means no good.
    package static let maximumWaiting = 16
    /// Seconds that a question waits for its turn.
    private static let patience = 300

    private let prompter: any Prompter
    /// Can be read while no question is open: a prompter that reads it asks, and then writes to it.
    private let turn: Int32
    private let waiting = Mutex(0)

    /// A queue before a prompter.
    package init(_ prompter: any Prompter) throws(PromptError) {
        self.prompter = prompter
        turn = hsip_event_new()
        guard turn >= 0 else { throw .noResources }
        giveBack()
    }

    deinit { if turn >= 0 { close(turn) } }

    package func passphrase(
        _ question: PassphraseQuestion,
        _ cancellation: Cancellation
    ) throws(PromptError) -> Secret {
        try inTurn(cancellation) { () throws(PromptError) in try prompter.passphrase(question, cancellation) }
    }

    package func touch(_ question: PassphraseQuestion, _ cancellation: Cancellation) throws(PromptError) {
        try inTurn(cancellation) { () throws(PromptError) in try prompter.touch(question, cancellation) }
    }

    package func confirm(
        _ question: ConfirmQuestion,
        _ cancellation: Cancellation
    ) throws(PromptError) -> Confirmation {
        try inTurn(cancellation) { () throws(PromptError) in try prompter.confirm(question, cancellation) }
    }

    private func inTurn<R>(
        _ cancellation: Cancellation,
        _ ask: () throws(PromptError) -> R
    ) throws(PromptError) -> R {
        let fits = waiting.withLock { count in
            guard count <= Self.maximumWaiting else { return false }
            count += 1
            return true
        }
        guard fits else { throw .noResources }
        defer { waiting.withLock { $0 -= 1 } }
        let deadline = Deadline(seconds: Self.patience)
        var taken: UInt64 = 0
        while true {
            switch cancellation.wait(for: turn, milliseconds: deadline.remaining) {
            case .cancelled: throw .unseen(seconds: nil)
            case .timedOut: throw .unseen(seconds: Self.patience)
            case .ready: break
            }
            // Another one may have been quicker.
            if unsafe read(turn, &taken, 8) == 8 { break }
        }
        defer { giveBack() }
        guard !cancellation.isCancelled else { throw .unseen(seconds: nil) }
        return try ask()
    }

    private func giveBack() {
        var one: UInt64 = 1
        _ = unsafe write(turn, &one, 8)
    }
}
