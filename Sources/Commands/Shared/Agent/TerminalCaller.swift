internal import AgentProtocol
internal import Presentation
internal import Synchronization
internal import System
internal import Text
internal import VaultCrypto
internal import VaultKit

/// Shows the agent's questions at this program's terminal, where the person looks.
final class TerminalCaller: AgentCaller {
    private let terminal: Terminal
    private let display: Display
    private let note: @Sendable (String) -> Void
    private let said = Mutex<ConsoleError?>(nil)

    /// What is said of a vault in the keyring whose root was put back, here or by the agent.
    static let rootPutBack =
        "another program changed or removed the vault's first item in the keyring; hsip put the item back"

    /// Asks at a terminal; `note` says something beside the questions.
    init(_ terminal: Terminal, _ display: Display, note: @escaping @Sendable (String) -> Void) {
        self.note = note
        self.terminal = terminal
        self.display = display
    }

    /// How the last question ended where it was not answered: a signal, a closed prompt, no user.
    ///
    /// It is told once.
    func takeFailure() -> ConsoleError? {
        said.withLock { said in
            defer { said = nil }
            return said
        }
    }

    /// Asks; the texts are the agent's, cleaned once more for this terminal: a socket is only a socket.
    func answer(_ question: Question) -> Answer {
        do throws(ConsoleError) {
            return try ask(question)
        } catch {
            said.withLock { $0 = error }
            return switch error {
            case .inputNeeded: .nobody
            case .timedOut: .late
            default: .no
            }
        }
    }

    func touch(_ question: Question, until end: Int32) -> Answer {
        guard terminal.isAvailable else { return .nobody }
        let text = display.question(question.lines + [question.title])
        return terminal.isEntered(text, before: end) ? .passphraseInstead : .no
    }

    /// Says what the agent tells beside its answer.
    func hear(_ event: AgentEvent) {
        switch event.event {
        case .rootPutBack: note(Self.rootPutBack)
        case .waiting: note("another window or terminal asks for the passphrase; hsip waits")
        case .asking: if let text = place(of: event) { note("waiting for an answer \(text)") }
        // Only a front is told these.
        case .opened, .locked, .items: break
        }
    }

    /// Where the agent asks: `at /dev/pts/3`.
    private func place(of event: AgentEvent) -> String? {
        let at = event.at.map { display.cell($0) }
        return switch event.place {
        case .window: "in a window" + (at.map { " on \($0)" } ?? "")
        case .terminal: at.map { "at \($0)" }
        case .console: "on the machine's console"
        case .nobody, nil: nil
        }
    }

    private func ask(_ question: Question) throws(ConsoleError) -> Answer {
        var lines = question.lines
        if question.attempt > 1 {
            lines.insert("That \(question.kind == .pin ? "PIN" : "passphrase") was wrong; try again.", at: 0)
        }
        let text = display.question(lines + [question.title])
        switch question.kind {
        case .passphrase:
            let typed = try terminal.askHidden(text, flag: "hsip unlock --passphrase-file")
            guard typed.count > 0 else { throw .refused }
            return .passphrase(Secret(typed))
        case .pin:
            let typed = try terminal.askHidden(text, flag: "hsip unlock --pin-file")
            return typed.count > 0 ? .passphrase(Secret(typed)) : .passphraseInstead
        case .touch: return .nobody
        case .confirm:
            guard let seconds = question.remember else {
                return try terminal.confirm(text) ? .yes(remember: nil) : .no
            }
            let options = ["no", "yes, this once", "yes, for \(Self.span(seconds))"]
            let flag = "hsip agent rule add"
            switch try terminal.choose(text, among: options, flag: flag, flushesTypeAhead: true) {
            case 1: return .yes(remember: nil)
            case 2: return .yes(remember: seconds)
            default: return .no
            }
        }
    }

    private static func span(_ seconds: Int) -> String {
        seconds < 3_600 ? "\(max(1, seconds / 60)) minutes" : "\(seconds / 3_600) h"
    }
}

extension Display {
    /// The lines of an agent's question at a terminal, without the marks by which a window sets names apart.
    package func question(_ lines: [String]) -> String {
        text(Display.withoutIsolates(lines.joined(separator: "\n")))
    }
}

/// Carries operations to the agent; what the person said to a question of the agent's counts as if it had been asked
/// in this process.
struct CallerCarrier: VaultCarrier {
    private let agent: AgentClient
    private let caller: TerminalCaller?

    init(_ agent: AgentClient, _ caller: TerminalCaller?) {
        self.agent = agent
        self.caller = caller
    }

    /// Carries one call there and its answer back.
    func carry(_ call: VaultCall) async throws -> VaultAnswer {
        do {
            return try await agent.carry(call)
        } catch {
            throw caller?.takeFailure() ?? error
        }
    }
}
