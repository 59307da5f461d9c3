internal import ArgumentParser
internal import Glibc
internal import Presentation
internal import System
internal import Text
internal import VaultCrypto

/// `--copy` and `--clear`: a value goes to the clipboard for a while, instead of being printed.
struct ClipboardOptions: ParsableArguments {
    @Flag(help: "Copy the value to the clipboard instead of printing it.")
    var copy = false

    @Option(help: ArgumentHelp("Empty the clipboard after this time (30s); 0s for never.", valueName: "time"))
    var clear: String?

    /// The number of seconds that the clipboard keeps the value.
    ///
    /// - Throws: `usage` for options that do not fit together.
    func seconds() throws(Failure) -> UInt32 {
        guard copy || clear == nil else {
            throw Failure.usage("--clear needs --copy")
        }
        guard let seconds = Durations.parse(clear ?? "30s"), let seconds = UInt32(exactly: seconds),
            seconds <= ClipboardMark.longest
        else { throw Failure.usage("--clear must be a time up to 1h, such as 30s") }
        return seconds
    }
}

extension Context {
    /// Refuses a clipboard that cannot be used, before anything is done whose result would be lost.
    func checkClipboard() throws { try Clipboard(environment: environment).checkReady() }

    /// Puts a value into the clipboard, says for how long, and starts the process that empties it later.
    func copyForAWhile(_ value: Secret, _ seconds: UInt32) throws {
        let clipboard = Clipboard(environment: environment)
        guard value.count <= Clipboard.limit, value.count > 0 else {
            throw Failure.usage("the value is empty or too long for the clipboard", hint: "-o FILE")
        }
        let mark = try ClipboardMark(of: value, seconds: seconds, entropy: .system)
        try clipboard.copy(value)
        guard seconds > 0 else { return output.say("Copied. The clipboard keeps the value.") }
        try emptyClipboardLater(mark)
        output.say("Copied. The clipboard keeps the value for \(Durations.rough(Int64(seconds))).")
    }
}

/// The process that `secret get --copy` and `secret generate --copy` leave behind.
///
/// It waits, then empties the clipboard if the copied value is still there. If a signal would end the process, it
/// empties the clipboard at once.
struct ClipboardKeeper: Command {
    static let path = "clipboard-keeper"
    static let configuration = CommandConfiguration(
        commandName: "clipboard-keeper",
        abstract: "Empty the clipboard later, if unchanged; for --copy.",
        shouldDisplay: false
    )

    func run(_ context: Context) async throws {
        let signals = try SignalWatch()
        let sent = try OwnFile.allOf(.input, limit: ClipboardMark.size).withBytes { $0.copied() }
        guard let mark = ClipboardMark(encoded: sent) else {
            throw Failure.usage("only --copy starts this command")
        }
        var request = pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&request, 1, Int32(mark.seconds) * 1_000)
        context.emptyClipboard(mark)
        signals.stop()
    }
}

extension Context {
    /// Empties the clipboard, and the selection of marked text, if they still hold the copied value.
    func emptyClipboard(_ mark: ClipboardMark) {
        let clipboard = Clipboard(environment: environment)
        for selection in Clipboard.Selection.allCases {
            // If one cannot be read, the other is emptied nevertheless.
            do throws(ConsoleError) { try clipboard.clear(selection, ifMarked: mark) } catch {}
        }
    }

    /// Starts a process that empties the clipboard after some seconds; if that fails, empties it at once.
    ///
    /// - Throws: the reason why the process cannot be started.
    func emptyClipboardLater(_ mark: ClipboardMark) throws {
        var variables: [String] = []
        for name in ["WAYLAND_DISPLAY", "DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "HOME", "PATH"] {
            if let value = environment[name] { variables.append("\(name)=\(value)") }
        }
        do throws(ProgramError) {
            try mark.hand(to: "/proc/self/exe", [ClipboardKeeper.path], variables)
        } catch {
            emptyClipboard(mark)
            throw error
        }
    }
}
