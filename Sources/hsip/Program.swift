internal import ArgumentParser
internal import Console
internal import Glibc

/// From words to an exit code: global options, the command, its result or its failure.
enum Program {
    /// The version of the program.
    static let version = "0.1.0"

    /// Runs one command line.
    static func run(_ arguments: [String]) async -> Int32 {
        // Answered before anything is set up: the two questions that cost nothing.
        if arguments == ["version"] || arguments == ["--version"] {
            return printVersion()
        }
        let globals: Globals
        let words: [String]
        do throws(Failure) {
            (globals, words) = try Globals.split(arguments)
        } catch {
            return Output(command: "hsip", surroundings: .current()).fail(error)
        }
        if let typo = Typo.find(in: words) {
            return Output(command: "hsip", mode: globals.mode, color: globals.color, surroundings: .current())
                .fail(typo)
        }
        let parsed: any ParsableCommand
        do {
            parsed = try Hsip.parseAsRoot(words.isEmpty ? ["overview"] : words)
        } catch {
            return explain(error, globals)
        }
        guard let command = parsed as? any Command else { return help(parsed, globals) }
        let context = Context(command: type(of: command).path, globals: globals)
        do {
            try await command.run(context)
            return context.exitStatus
        } catch {
            return context.output.fail(Failures.explain(error))
        }
    }

    private static func printVersion() -> Int32 {
        do throws(ConsoleError) {
            try Descriptor.output.write("hsip \(version)\n")
            return 0
        } catch {
            return error.status
        }
    }

    /// `hsip help …`, which knows itself what to explain, or a noun without a verb: that is a slip, with its
    /// help for an answer.
    private static func help(_ parsed: any ParsableCommand, _ globals: Globals) -> Int32 {
        let isNoun = !type(of: parsed).configuration.subcommands.isEmpty
        guard !(isNoun && globals.mode.contains(.json)) else {
            return Output(command: "hsip", mode: globals.mode, surroundings: .current()).fail(
                Failure(.usage, code: "usage", message: "a verb is missing", hint: "hsip help"))
        }
        var parsed = parsed
        do {
            try parsed.run()
            return ExitCode.ok.rawValue
        } catch {
            let status = explain(error, globals)
            return isNoun ? ExitCode.usage.rawValue : status
        }
    }

    /// Help is data; anything else is a usage error in one line.
    private static func explain(_ error: any Error, _ globals: Globals) -> Int32 {
        let message = Hsip.message(for: error)
        if Hsip.exitCode(for: error).isSuccess {
            try? Descriptor.output.write(Hsip.fullMessage(for: error) + "\n")
            return 0
        }
        let first = message.split(separator: "\n").first.map(String.init) ?? "wrong words"
        let output = Output(
            command: "hsip", mode: globals.mode, color: globals.color, surroundings: .current())
        return output.fail(
            Failure(
                .usage, code: "usage",
                message: first.prefix(1).lowercased() + first.dropFirst().drop { $0 == "." },
                hint: "hsip help"))
    }
}
