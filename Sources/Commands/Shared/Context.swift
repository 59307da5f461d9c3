package import AgentProtocol
package import Presentation
package import System
internal import Text
internal import VaultCrypto
package import VaultLifecycle

/// What a command works with: its options, the two streams, the person, and the way to the vault.
package final class Context {
    package var globals: Globals
    package let output: Output
    package let terminal: Terminal
    package let environment: Environment
    package let console: ConsoleEnvironment
    /// What the program ends with when the command does not throw; not 0 only where the command says so.
    package var exitStatus: Int32 = 0
    /// What the keyring keeps for the vault file that was opened, if it has a key slot there.
    package var companion: KeyringCompanion?
    /// Whether something was changed by now, so that a question which is declined later does not leave all as it was.
    package var hasChanged = false
    /// The connection to the agent, once there is one, and what shows its questions.
    package var agent: AgentClient?
    var caller: TerminalCaller?
    /// Who wants the vault open, where that is another program whose person may not expect to be asked.
    package var purpose: String?

    package init(command: String, globals: Globals, environment: Environment = .process) {
        self.globals = globals
        self.environment = environment
        console = .current(environment)
        output = Output(
            command: command,
            mode: globals.mode,
            color: globals.color,
            console: console
        )
        terminal = Terminal(isAllowed: !globals.asksNothing, console: console)
    }

    package var isJSON: Bool { globals.mode.contains(.json) }

    /// A person reads along: one of the streams is a terminal, and questions are allowed.
    package var isInteractive: Bool {
        terminal.isAvailable && (console.inputIsTerminal || console.outputIsTerminal)
    }

    /// Peer text on a terminal is cleaned; piped it is untouched.
    package func shown(_ text: String) -> String {
        console.outputIsTerminal ? output.display.cell(text) : text
    }

    /// y/N, answered by `--yes`; without a person to ask it is exit 7.
    package func agrees(_ question: String) throws(ConsoleError) -> Bool {
        if globals.saysYes { return true }
        return try terminal.confirm(question)
    }

    /// A question and the lines that it needs: said before it, or part of it where `--quiet` or `--json` keep
    /// the program from talking.
    ///
    /// With `isSaid` the lines have been said already.
    package func question(_ text: String, after lines: [String], isSaid: Bool = false) -> String {
        guard output.mode.isDisjoint(with: [.json, .quiet]) else {
            return (lines + [text]).joined(separator: "\n")
        }
        if !isSaid { for line in lines { output.say(line) } }
        return text
    }

    /// The seconds now, for texts.
    package var now: Int64 { Times.now() }
}

extension Context {
    /// Warns where something was just set that only a question allows, and the running agent has no way to ask.
    ///
    /// An agent that cannot be reached, or does not say, is no reason to fail: what was set is set.
    package func warnIfAgentCannotAsk() async {
        guard !globals.avoidsAgent, let agent = try? connectToAgent(), let status = try? await agent.status(),
            status.questions == .nobody || status.questions == .console
        else { return }
        output.warn(
            Warning(
                "questionsUnheard",
                "the agent has no display and no terminal to ask you at, so it refuses what ssh asks for",
                hint: "hsip agent terminal"
            )
        )
    }
}

extension Context: Progress {
    /// Says what goes on where it takes long, and shows nothing that is typed while a key is derived between two
    /// questions.
    package func during<R, E: Error>(_ step: LifecycleStep, _ body: () throws(E) -> R) throws(E) -> R {
        guard let text = step.text else { return try body() }
        let mayBeTypedAt = step == .derivingKey && terminal.isAvailable && console.errorIsTerminal
        let echoOff = mayBeTypedAt ? EchoOff() : nil
        defer { echoOff?.end() }
        return try output.working(text, body)
    }
}

extension LifecycleStep {
    /// What is said of a step; nil for one that takes no time.
    fileprivate var text: String? {
        switch self {
        case .derivingKey, .makingFile, .writingSlot: "deriving key…"
        case .copyingRecords: "moving the vault…"
        case .comparingRecords: "comparing…"
        case .backingUp: "copying…"
        case .rekeying: "encrypting all records again…"
        case .writingNote, .makingRoom, .claiming, .writingRecord: nil
        }
    }
}
