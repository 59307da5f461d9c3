internal import AgentProtocol
internal import Console
internal import Programs
internal import SafeText
internal import VaultCrypto
internal import VaultLifecycle

/// What a command works with: its options, the two streams, the person, and the way to the vault.
final class Context {
    var globals: Globals
    let output: Output
    let terminal: Terminal
    let environment: Environment
    let console: ConsoleEnvironment
    /// What the program ends with when the command does not throw; not 0 only where the command says so.
    var exitStatus: Int32 = 0
    /// What the keyring keeps for the vault file that was opened, if it has a key slot there.
    var companion: KeyringCompanion?
    /// The connection to the agent, once there is one, and what shows its questions.
    var agent: AgentClient?
    var caller: TerminalCaller?
    /// Who wants the vault open, where that is another program whose person may not expect to be asked.
    var purpose: String?

    init(command: String, globals: Globals, environment: Environment = .process) {
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

    var isJSON: Bool { globals.mode.contains(.json) }

    /// A person reads along: one of the streams is a terminal, and questions are allowed.
    var isInteractive: Bool {
        terminal.isAvailable && (console.inputIsTerminal || console.outputIsTerminal)
    }

    /// Peer text on a terminal is cleaned; piped it is untouched.
    func shown(_ text: String) -> String {
        console.outputIsTerminal ? output.display.cell(text) : text
    }

    /// y/N, answered by `--yes`; without a person to ask it is exit 7.
    func agrees(_ question: String) throws(ConsoleError) -> Bool {
        if globals.saysYes { return true }
        return try terminal.confirm(question)
    }

    /// A question and the lines that it needs: said before it, or part of it where `--quiet` or `--json` keep
    /// the program from talking.
    ///
    /// With `isSaid` the lines have been said already.
    func question(_ text: String, after lines: [String], isSaid: Bool = false) -> String {
        guard output.mode.isDisjoint(with: [.json, .quiet]) else {
            return (lines + [text]).joined(separator: "\n")
        }
        if !isSaid { for line in lines { output.say(line) } }
        return text
    }

    /// The seconds now, for texts.
    var now: Int64 { Times.now() }
}
