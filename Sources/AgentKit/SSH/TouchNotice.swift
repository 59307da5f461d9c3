internal import AgentProtocol
internal import Synchronization

/// The prompt while a security key waits for a touch: the key waits on one thread, the prompt on another.
final class TouchNotice: Sendable {
    /// The milliseconds before it appears: a key that needs no touch, or refuses, has finished by then.
    private static let delay: Int32 = 300

    /// Ends when the security key need not wait any more.
    let wait: Cancellation
    private let question: Cancellation
    private let refusal = Mutex(false)

    /// Whether the person closed the prompt.
    var isRefused: Bool { refusal.withLock { $0 } }

    init(under interest: Cancellation) throws(SystemError) {
        wait = try Cancellation(under: [interest])
        question = try Cancellation(under: [interest])
    }

    /// Shows the prompt.
    ///
    /// If nobody can see it, the key waits all the same: it blinks, and a touch approves.
    func show(_ asked: PassphraseQuestion, by prompter: any Prompter) {
        try? OwnThread.start("hsip-touch") { [self] in
            guard question.wait(for: -1, milliseconds: Self.delay) == .timedOut else { return }
            do throws(PromptError) {
                try prompter.touch(asked, question)
            } catch {
                guard error == .refused, !question.isCancelled else { return }
                refusal.withLock { $0 = true }
                wait.cancel()
            }
        }
    }

    /// Closes the prompt.
    func end() { question.cancel() }
}

/// The wait for a touch: the device waits on one thread, and the prompt on another.
final class TouchWait: Sendable {
    /// The person's answer instead of a touch.
    enum Answer: Equatable {
        case passphraseInstead
        case refused(Refusal)
    }

    /// Ends when nobody needs the prompt any more.
    let question: Cancellation
    /// Ends when the device need not wait any more.
    let touch: Cancellation
    private let said = Mutex<Answer?>(nil)

    var answer: Answer? { said.withLock { $0 } }

    init(under interest: Cancellation) throws(SystemError) {
        question = try Cancellation(under: [interest])
        touch = try Cancellation(under: [interest])
    }

    /// Shows the prompt.
    ///
    /// If nobody can see it, the device does not wait either, and the passphrase is asked for.
    func ask(_ asker: any UnlockAsker, _ offer: SlotOffer) {
        try? OwnThread.start("hsip-touch") { [self] in
            let answer: Answer
            do throws(Refusal) {
                try asker.touch(offer, question)
                answer = .passphraseInstead
            } catch {
                answer = [.dismissed, .late].contains(error) ? .refused(error) : .passphraseInstead
            }
            guard !question.isCancelled else { return }
            said.withLock { $0 = answer }
            touch.cancel()
        }
    }
}
