internal import AgentProtocol
internal import Synchronization

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
