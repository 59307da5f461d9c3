internal import ArgumentParser
internal import Commands
internal import Glibc
internal import Presentation
internal import RecordStore
internal import System
internal import Text
internal import VaultLifecycle

/// From words to an exit code: global options, the command, its result or its failure.
enum Program {
    /// Runs one command line.
    static func run(_ arguments: [String]) async -> Int32 {
        // Answered before anything is set up: the two questions that cost nothing.
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
        // Asked here and not of what the parser made, as a look at what a type can do takes a while.
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

    /// Says that the command line cannot be read; nothing was done.
    static func refuse(_ error: CommandLineWords.Unreadable) -> Int32 {
        Output(command: "hsip", console: .current())
            .fail(Failure.usage("\(error.sentence); nothing was done", hint: "hsip help"))
    }

    /// Names without the marks that stand around them on the screen: what was shown can be pasted back.
    ///
    /// What belongs to another program, after `--`, stays as it is.
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

    /// Help that was asked for is the answer; of a noun without its verb it is a hint, and the words were wrong.
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
            // The parser's own help command; it throws its text.
            try command.run()
            return 0
        } catch {
            return explain(error, words, globals)
        }
    }

    /// Help is data; anything else is a usage error in one line.
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

    /// The first line of what the parser says, with the list that it may announce.
    private static func firstSentence(of message: String) -> String {
        let lines = message.split(separator: "\n")
        guard let first = lines.first else { return "wrong words" }
        guard first.hasSuffix(":") else { return String(first) }
        let listed = lines.dropFirst().map { $0.drop { $0 == " " } }.prefix { $0.hasPrefix("- ") }
        return "\(first) \(listed.map { $0.dropFirst(2) }.joined(separator: ", "))"
    }

    /// A usage error: what was wrong, and the command that was meant or its help.
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
