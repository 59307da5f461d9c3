internal import ArgumentParser
internal import Commands
internal import Glibc
internal import Presentation
internal import RecordStore
internal import System
internal import Text
internal import VaultLifecycle

/// Runs a command line: global options, the command, and its result or failure.
enum Program {
    /// Runs one command line.
    static func run(_ arguments: [String]) async -> Int32 {
        // Two requests for the version need no preparation.
        if arguments == ["version"] || arguments == ["--version"] {
            return printVersion()
        }
        let globals: Globals
        var words: [String]
        do throws(Failure) {
            (globals, words) = try Globals.split(arguments)
        } catch {
            return Output(command: "hsip", console: .current()).fail(error)
        }
        words = OtherWords.translated(Self.bare(words))
        if let answer = HelpScreen.answer(to: words, columns: HelpText.columns(in: .current())) {
            try? Descriptor.output.write(answer + "\n")
            return 0
        }
        // The command is looked up here, because examining the parser's result for its abilities is slow.
        if let plain = Hsip.plainCommand(of: words) { return await run(plain, globals) }
        let parsed: any ParsableCommand
        do {
            parsed = try Hsip.command(of: words.isEmpty ? ["overview"] : words)
        } catch {
            return explain(error, words, globals)
        }
        guard let command = parsed as? any Command else {
            return help(parsed, words, globals)
        }
        return await run(command, globals)
    }

    /// Reports a command line that cannot be read; nothing was done.
    static func refuse(_ error: CommandLineWords.Unreadable) -> Int32 {
        Output(command: "hsip", console: .current())
            .fail(Failure.usage("\(error.sentence); nothing was done", hint: "hsip help"))
    }

    /// Removes the marks around names that the screen shows, so that shown names can be pasted back.
    ///
    /// Words after `--` belong to another program and stay unchanged.
    private static func bare(_ words: [String]) -> [String] {
        let end = words.firstIndex(of: "--") ?? words.endIndex
        return words[..<end].map { Display.withoutIsolates($0) } + words[end...]
    }

    private static func run(_ command: any Runnable, _ globals: Globals) async -> Int32 {
        let context = Context(command: type(of: command).path, globals: globals)
        defer { context.finish() }
        guard !globals.readsOldCopy || type(of: command).readsOldCopies else {
            return context.output.fail(
                Failure.usage(
                    "--old-copy works only with secret get, secret list and vault export",
                    hint: "hsip help \(type(of: command).path)"
                )
            )
        }
        do {
            try await command.run(context)
            return context.exitStatus
        } catch {
            var failure = Failure(error)
            if failure.name == ErrorName.usage.rawValue, failure.hint == nil {
                failure.hint = "hsip help \(type(of: command).path)"
            }
            if failure.isCancellation, !context.hasChanged { failure.message += " Nothing changed." }
            failure.hint = failure.hint.map { globals.sameVault($0) }
            if failure.message == StoreError.busyText, let place = try? context.place(),
                let holder = WriteLockHolder(at: context.locator(place))
            {
                failure.message += ": \(holder.shown(context.output.display))"
            }
            return context.output.fail(failure)
        }
    }

    private static func printVersion() -> Int32 {
        do throws(ConsoleError) {
            try Descriptor.output.write("hsip \(ProductVersion.text)\n")
            return 0
        } catch {
            return error.explanation.exitCode
        }
    }

    /// Prints help: as the result if it was requested, or as a hint if a group was named without a command.
    private static func help(
        _ parsed: any ParsableCommand,
        _ words: [String],
        _ globals: Globals
    ) -> Int32 {
        guard words.first == "help" || words.contains("--help") || words.contains("-h") else {
            let help = HelpText.fitted(in: .current()) {
                Hsip.helpMessage(for: type(of: parsed), columns: $0)
            }
            try? Descriptor.output.write(help + "\n")
            return ExitCode.usage.rawValue
        }
        let topic = CommandWords(Array(words.drop { $0 == "help" }))
        if topic.complaint != nil { return refuse(topic, "", globals) }
        do {
            var command = parsed
            // The parser's own help command throws its text.
            try command.run()
            return 0
        } catch {
            return explain(error, words, globals)
        }
    }

    /// Prints help as data, and any other message as a usage error on one line.
    private static func explain(_ error: any Error, _ words: [String], _ globals: Globals) -> Int32 {
        let message = Hsip.message(for: error)
        if Hsip.exitCode(for: error).isSuccess {
            let help = HelpText.fitted(in: .current()) { Hsip.fullMessage(for: error, columns: $0) }
            try? Descriptor.output.write(help + "\n")
            return 0
        }
        let commandWords = CommandWords(words)
        return refuse(commandWords, commandWords.corrected(firstSentence(of: message)), globals)
    }

    /// Returns the first line of the parser's message, with the list that it may announce.
    private static func firstSentence(of message: String) -> String {
        let lines = message.split(separator: "\n")
        guard let first = lines.first else { return "wrong words" }
        guard first.hasSuffix(":") else { return String(first) }
        let listed = lines.dropFirst().map { $0.drop { $0 == " " } }.prefix { $0.hasPrefix("- ") }
        return "\(first) \(listed.map { $0.dropFirst(2) }.joined(separator: ", "))"
    }

    /// Reports a usage error: the mistake, and the command that was meant, or its help.
    private static func refuse(_ words: CommandWords, _ message: String, _ globals: Globals) -> Int32 {
        let output = Output(
            command: "hsip",
            mode: globals.mode,
            color: globals.color,
            console: .current()
        )
        let stray = message.hasPrefix("Unexpected argument") ? words.placeOfStray : nil
        let said = message.replacing(". Please", with: "; please")
        let told = said.hasSuffix(".") ? said.dropLast() : said[...]
        return output.fail(
            Failure(
                .usage,
                words.complaint ?? stray?.message ?? told.prefix(1).lowercased() + told.dropFirst(),
                hint: words.suggestion ?? stray?.hint ?? words.help,
                exitCode: words.isRun ? RunWords.failed : nil
            )
        )
    }
}
