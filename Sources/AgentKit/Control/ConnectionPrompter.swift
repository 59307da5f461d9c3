internal import AgentProtocol
internal import Synchronization
internal import VaultCrypto

/// Asks at the terminal of the client that caused the prompt: the prompt is sent over the same connection.
final class ConnectionPrompter: Prompter {
    /// A prompt that waits for its answer.
    private final class Waiting: Sendable {
        let signal: Cancellation
        let answer = Mutex<Answer?>(nil)

        init() throws(SystemError) { signal = try Cancellation() }
    }

    private struct State {
        /// The unanswered prompts in order, including cancelled ones, since the client answers each.
        var asked: [Waiting] = []
        var pending = PendingFrames()
    }

    /// The client stops waiting before this and says so; this limit ends a client that does not.
    private static let patience = Int32((FrameLimits.question + 60) * 1_000)

    private let channel: FrameChannel
    private let number: UInt32
    private let state = Mutex(State())
    /// One prompt is sent at a time.
    private let sending = Mutex(())

    init(_ channel: FrameChannel, request number: UInt32) {
        self.channel = channel
        self.number = number
    }

    func passphrase(
        _ question: PassphraseQuestion,
        _ cancellation: Cancellation
    ) throws(PromptError) -> Secret {
        let asked = Question(
            question.kind == .pin ? .pin : .passphrase,
            title: question.title,
            lines: question.lines,
            attempt: question.attempt
        )
        switch try ask(asked, cancellation) {
        case .passphrase(let secret):
            guard secret.count > 0 else { throw .empty }
            return secret
        case .passphraseInstead: throw .empty
        case .yes: throw .malformed
        case .no: throw .refused
        case .nobody: throw .nobody
        case .late: throw .timedOut(seconds: FrameLimits.question)
        }
    }

    func touch(_ question: PassphraseQuestion, _ cancellation: Cancellation) throws(PromptError) {
        switch try ask(Question(.touch, title: question.title, lines: question.lines), cancellation) {
        case .passphraseInstead: return
        case .no: throw .refused
        case .passphrase, .yes: throw .malformed
        case .nobody: throw .nobody
        case .late: throw .timedOut(seconds: FrameLimits.question)
        }
    }

    func confirm(
        _ question: ConfirmQuestion,
        _ cancellation: Cancellation
    ) throws(PromptError) -> Confirmation {
        let asked = Question(
            .confirm,
            title: question.title,
            lines: question.lines,
            remember: question.remember
        )
        switch try ask(asked, cancellation) {
        case .yes(let seconds?) where question.remember != nil && seconds > 0:
            return .remember(seconds: min(seconds, question.remember ?? 0))
        case .yes: return .once
        case .no, .passphrase, .passphraseInstead: return .deny
        case .nobody: throw .nobody
        case .late: throw .timedOut(seconds: FrameLimits.question)
        }
    }

    private func ask(_ question: Question, _ cancellation: Cancellation) throws(PromptError) -> Answer {
        let waiting: Waiting
        do {
            waiting = try Waiting()
            let frame = try Frame.message(.question, request: number, question)
            try sending.withLock { _ in
                // A cancelled prompt must not be sent after the next one.
                guard !cancellation.isCancelled else { throw PromptError.cancelled }
                state.withLock { $0.asked.append(waiting) }
                try channel.send(frame)
            }
        } catch {
            throw error is SystemError ? .noResources : .cancelled
        }
        let waited = cancellation.wait(for: waiting.signal.descriptor, milliseconds: Self.patience)
        switch waited {
        case .cancelled: throw .cancelled
        case .timedOut: throw .timedOut(seconds: FrameLimits.question)
        case .ready: return waiting.answer.withLock { $0 } ?? .no
        }
    }

    /// Refuses a raw frame for which no prompt is waiting, before memory is allocated for it.
    ///
    /// A frame that was sent before its prompt ended cannot be told from a misplaced one. At most one answer's worth
    /// of them is read, and wiped with the request.
    func admit(_ header: FrameHeader) throws(FrameError) {
        try state.withLock { state throws(FrameError) in
            guard header.kind == .bytes, state.pending.isEmpty else { throw .unexpected }
            try state.pending.admit(header)
        }
    }

    func take(_ frame: Frame) {
        state.withLock { state in
            if !state.asked.isEmpty { state.pending.take(frame) }
        }
    }

    func answer(_ frame: Frame) throws(FrameError) {
        let (waiting, pending) = state.withLock { state in
            defer { state.pending = PendingFrames() }
            return (state.asked.isEmpty ? nil : state.asked.removeFirst(), state.pending)
        }
        guard let waiting else { return }
        let answer = try frame.message(Answer.self, secrets: pending.secrets)
        waiting.answer.withLock { $0 = answer }
        waiting.signal.cancel()
    }
}

/// Tells a client where its prompt appears before it is shown elsewhere than at the client's terminal.
///
/// It does so once for the passphrase and once for the rest of a request, however many tries or pages follow.
final class AnnouncingPrompter: Prompter {
    private let prompter: any Prompter
    private let announce: @Sendable (_ isPassphrase: Bool) -> Void
    private let said = Mutex<Set<Bool>>([])

    /// `announce` is told whether the prompt is for the passphrase.
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
