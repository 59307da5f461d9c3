internal import ArgumentParser
internal import Glibc
internal import Presentation
internal import Secrets
internal import Text
internal import VaultCrypto

/// `hsip run CMD…`.
struct Run: Command {
    static let path = RunWords.path
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a program with secrets in its environment.",
        discussion: """
            Each variable whose whole value is vault:NAME or vault:NAME#FIELD gets the value of that \
            secret. The program replaces hsip and keeps its exit code. Exit codes: 125 not started; 126 \
            not executable; 127 not found.

              DB=vault:db/prod hsip run psql
              hsip run --env-file app.env ./serve --port 80
              hsip run --mask ./deploy                    values are masked in its output
            """
    )

    @Option(
        name: .customLong("env-file"),
        help: ArgumentHelp("Read NAME=VALUE lines; they override the environment.", valueName: "file"),
        completion: .file()
    )
    var files: [String] = []

    @Option(
        name: .customLong("fd"),
        help: ArgumentHelp("Set a variable to the path of an in-memory file.", valueName: "name=reference"),
        completion: .references
    )
    var inMemory: [String] = []

    @Flag(help: "Print **** for each value of 4 bytes or more in the output.")
    var mask = false

    @Argument(
        parsing: .postTerminator,
        help: "The program and its arguments; -- before it is optional.",
        completion: .program
    )
    var command: [String] = []

    func run(_ context: Context) async throws {
        do {
            try await start(context)
        } catch {
            let program = context.output.display.text(command.first ?? "")
            throw RunningProgram.failure(error, program, after: "hsip run")
        }
    }

    private func start(_ context: Context) async throws {
        guard let word = command.first else {
            throw Failure.usage("name the program to run", hint: "hsip run PROGRAM ARGUMENTS")
        }
        var variables = ProgramVariables.ofProcess()
        for file in files { try variables.add(file: file) }
        for option in inMemory { try variables.add(inMemory: option) }
        let program = try FoundProgram(word, context.environment)
        let values = try await SecretResolver(context: context).values(of: variables.references)
        let entries = try variables.entries(values)
        if mask { warn(of: values, context) }
        keepBack(context)
        let started = StartedProgram(path: program.path, arguments: command, variables: entries)
        // Finish now: this code does not run any more after the program has replaced this process.
        context.finish()
        guard mask else { throw started.replaceThis() }
        context.exitStatus = try MaskedRun(started, hiding: Array(values.values)).run()
    }

    /// Warns of values that are too short for the mask.
    private func warn(of values: [Reference: Secret], _ context: Context) {
        for reference in values.keys.sorted(by: { $0.text < $1.text }) {
            guard let value = values[reference], Masker.passes(value) else { continue }
            context.output.warn(
                Warning(
                    "notMasked",
                    "\(context.output.display.cell(reference.text)) has fewer than \(Masker.shortest) bytes, "
                        + "and is not masked",
                    fields: ["reference": .text(reference.text)]
                )
            )
        }
    }

    /// Keeps the passphrase's descriptor from the program, which could read the file behind it again.
    private func keepBack(_ context: Context) {
        guard let number = context.globals.passphraseDescriptor, number > STDERR_FILENO else { return }
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    }
}
