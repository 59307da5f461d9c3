internal import ArgumentParser
internal import Commands
internal import Glibc
internal import Presentation
internal import System
internal import Text

/// `hsip keyring`: temporary keyrings.
struct KeyringGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keyring",
        abstract: "Run programs with a throwaway desktop keyring.",
        discussion: """
            To use the vault as your own desktop's keyring, see hsip setup keyring. The passwords that \
            programs keep there: hsip item.

              hsip keyring run -- pytest
            """,
        subcommands: [KeyringRun.self]
    )
}

/// `hsip keyring run -- COMMAND`.
struct KeyringRun: Command {
    static let path = "keyring run"
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a command with an empty desktop keyring, for tests.",
        discussion: """
            The command gets a session bus and a keyring of its own (Secret Service), which answer every \
            program without a question. When the command ends, both are removed with everything in them. \
            Your own keyring, vault and agent stay as they are.

            Exit codes: the command's own; 125 not started; 126 not executable; 127 not found; 128+N \
            ended by signal N. It needs dbus-daemon and hsip-agent, but no desktop and no vault.

              hsip keyring run -- pytest
              hsip keyring run -- dotnet test
              apt install -y hsip-agent dbus-daemon && hsip keyring run -- make test
            """
    )

    @Argument(
        parsing: .postTerminator,
        help: "The command and its arguments; -- before it is optional.",
        completion: .program
    )
    var command: [String] = []

    func run(_ context: Context) async throws {
        do {
            try await start(context)
        } catch {
            let program = context.output.display.text(command.first ?? "")
            throw RunningProgram.failure(error, program, after: "hsip keyring run --")
        }
    }

    private func start(_ context: Context) async throws {
        guard let word = command.first else {
            throw Failure.usage("the command to run is missing", hint: "hsip keyring run -- COMMAND")
        }
        try RunningProgram.find(word, context.environment)
        let keyring = try ThrowawayKeyring(context.environment)
        defer { keyring.end() }
        let signals = try SignalWatch()
        defer { signals.stop() }
        do {
            try await keyring.start()
        } catch {
            guard let signal = signals.caught else { throw error }
            return context.exitStatus = 128 + signal
        }
        if let signal = signals.caught { return context.exitStatus = 128 + signal }
        unsafe setenv("DBUS_SESSION_BUS_ADDRESS", keyring.address, 1)
        context.exitStatus = try RunningProgram(command, context.environment).end(passing: signals)
    }
}
