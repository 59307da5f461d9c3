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
    private let state = Mutex(State.none)

    init(_ questions: BusQuestions, of program: String) {
        self.questions = questions
        self.program = program
    }

    /// The window is about to be shown.
    ///
    /// - Throws: `locked` where programs had too many questions asked: others that wait may still ask in their own way.
    func show() throws(Refusal) {
        let isShown = questions.takesPlace()
        state.withLock { $0 = isShown ? .shown : .refused }
        guard isShown else { throw .locked }
    }

    /// The vault did not open.
    ///
    /// - Parameter error: why.
    /// - Returns: what the program is told.
    func ended(by error: AgentError) -> AgentError {
        switch (state.withLock { $0 }, error) {
        case (.shown, .refused(.dismissed)): questions.closedWindow(of: program)
        case (.refused, .refused(.locked)): return .refused(.tooManyWindows)
        default: break
        }
        return error
    }
}
