internal import AgentProtocol
internal import Presentation
internal import Synchronization
internal import System
internal import Text
internal import VaultCrypto
internal import VaultKit

/// Asks the agent's questions at this program's terminal.
final class TerminalCaller: AgentCaller {
    private let terminal: Terminal
    private let display: Display
    private let note: @Sendable (String) -> Void
    private let said = Mutex<ConsoleError?>(nil)

    /// The note that hsip or the agent put back the first item of a vault in the keyring.
    static let rootPutBack =
        "another program changed or removed the vault's first item in the keyring; hsip put the item back"

    /// Asks at a terminal; `note` prints notes beside the questions.
    init(_ terminal: Terminal, _ display: Display, note: @escaping @Sendable (String) -> Void) {
        self.note = note
        self.terminal = terminal
        self.display = display
    }

    /// Returns why the last question was not answered: a signal, a closed prompt, no user; then forgets it.
    func takeFailure() -> ConsoleError? {
        said.withLock { said in
            defer { said = nil }
            return said
        }
    }

    /// Asks the person; cleans the agent's texts again for this terminal, as a socket can be anyone's.
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

    /// Prints the agent's events that come beside its answer.
    func hear(_ event: AgentEvent) {
        switch event.event {
        case .rootPutBack: note(Self.rootPutBack)
        case .waiting: note("another window or terminal asks for the passphrase; hsip waits")
        case .asking: if let text = place(of: event) { note("waiting for an answer \(text)") }
        // The agent sends these events only to hsip-secrets.
        case .opened, .locked, .items: break
        }
    }

    /// The place of the agent's question, as in `at /dev/pts/3`; nil if it does not ask.
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
    /// The text of an agent's question for a terminal, without the marks that isolate names in a window.
    package func question(_ lines: [String]) -> String {
        text(Display.withoutIsolates(lines.joined(separator: "\n")))
    }
}

/// Sends operations to the agent.
///
/// If the agent's question failed at this terminal, that failure is thrown instead of the agent's error.
struct CallerCarrier: VaultCarrier {
    private let agent: AgentClient
    private let caller: TerminalCaller?

    init(_ agent: AgentClient, _ caller: TerminalCaller?) {
        self.agent = agent
        self.caller = caller
    }

    /// Sends one call to the agent, and returns its answer.
    func carry(_ call: VaultCall) async throws -> VaultAnswer {
        do {
            return try await agent.carry(call)
        } catch {
            throw caller?.takeFailure() ?? error
        }
    }
}
