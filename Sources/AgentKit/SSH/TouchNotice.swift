internal import AgentProtocol
internal import Synchronization

/// What a person sees while a security key waits for a touch: the key waits on one thread, the question is on another.
final class TouchNotice: Sendable {
    /// Milliseconds before it appears: a key that needs no touch, or refuses, is done by then.
    private static let delay: Int32 = 300

    /// Over when the security key need not wait any more.
    let wait: Cancellation
    private let question: Cancellation
    private let refusal = Mutex(false)

    /// Whether the person closed the question.
    var isRefused: Bool { refusal.withLock { $0 } }

    init(under interest: Cancellation) throws(SystemError) {
        wait = try Cancellation(under: [interest])
        question = try Cancellation(under: [interest])
    }

    /// Shows the question.
    ///
    /// If nobody can be shown it, the key waits all the same: it blinks, and a touch is a yes.
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

    /// Ends the question.
    func end() { question.cancel() }
}

/// The wait for a touch: the device waits on one thread, and the person reads the question on another.
final class TouchWait: Sendable {
    /// What the person said instead of touching it.
    enum Answer: Equatable {
        case passphraseInstead
        case refused(Refusal)
    }

    /// Over when the question is of no use any more.
    let question: Cancellation
    /// Over when the device need not wait any more.
    let touch: Cancellation
    private let said = Mutex<Answer?>(nil)

    var answer: Answer? { said.withLock { $0 } }

    init(under interest: Cancellation) throws(SystemError) {
        question = try Cancellation(under: [interest])
        touch = try Cancellation(under: [interest])
    }

    /// Shows the question.
    ///
    /// If nobody can be shown it, the key does not wait either: the passphrase is asked for.
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
