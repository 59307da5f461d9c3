internal import AgentProtocol
internal import Synchronization

/// The window for the passphrase that one call of a program on the bus may bring.
///
/// Calls that come while it is open wait for the same answer: what the person says to the program that it names is not said
/// to the programs that wait.
final class BusWindow: Sendable {
    private enum State {
        case none, shown, refused
    }

    private let questions: BusQuestions
    private let program: String
    private let hasLeft: @Sendable () -> Bool
    private let state = Mutex(State.none)

    /// - Parameters:
    ///   - questions: where it is counted.
    ///   - program: the name of the program.
    ///   - hasLeft: whether it was the program that went, where nobody wants the answer any longer.
    init(
        _ questions: BusQuestions,
        of program: String,
        hasLeft: @escaping @Sendable () -> Bool = { true }
    ) {
        self.questions = questions
        self.program = program
        self.hasLeft = hasLeft
    }

    /// The window is about to be shown.
    ///
    /// - Throws: `locked` where programs left too many questions without an answer: others that wait may still ask in their
    ///   own way.
    func show() throws(Refusal) {
        let isShown = !questions.refusesPlace(to: program)
        state.withLock { $0 = isShown ? .shown : .refused }
        guard isShown else { throw .locked }
    }

    /// Its call went before the window came.
    func unseen() { state.withLock { $0 = .none } }

    /// The vault did not open; a window that was left without an answer counts as closed.
    ///
    /// - Parameter error: why.
    /// - Returns: what the program is told.
    func ended(by error: AgentError) -> AgentError {
        switch (state.withLock { $0 }, error) {
        case (.shown, .refused(.dismissed)), (.shown, .refused(.late)):
            questions.closedWindow(of: program)
        // A program that takes its window back has it shown as often as it likes, else.
        case (.shown, .refused(.cancelled)):
            if hasLeft() { questions.closedWindow(of: program) }
        case (.refused, .refused(.locked)): return .refused(.tooManyWindows)
        default: break
        }
        return error
    }
}
