internal import CLinux
internal import Glibc
internal import Synchronization
internal import System
package import VaultCrypto

/// Passes one prompt at a time to a prompter, since people answer overlapping windows by mistake.
///
/// A caller stops waiting when it no longer needs the answer, or after too long a time.
package final class PromptQueue: Prompter {
    /// The largest number of waiting prompts; only a malicious program causes more.
    package static let maximumWaiting = 16
    /// The seconds that a prompt waits for its predecessors.
    private static let patience = 300

    private let prompter: any Prompter
    /// Readable while no prompt is open: a prompter that reads it may ask, and writes to it afterwards.
    private let turn: Int32
    private let waiting = Mutex(0)

    /// Creates a queue before a prompter.
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
            // Another prompter may have been faster.
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
