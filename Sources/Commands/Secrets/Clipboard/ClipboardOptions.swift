internal import ArgumentParser
internal import Presentation
internal import Text
internal import VaultCrypto

/// `--copy` and `--clear`: a value goes to the clipboard for a while, instead of being printed.
struct ClipboardOptions: ParsableArguments {
    @Flag(help: "Copy the value to the clipboard instead of printing it.")
    var copy = false

    @Option(help: ArgumentHelp("Empty the clipboard after this time (30s); 0s for never.", valueName: "time"))
    var clear: String?

    /// How many seconds the clipboard keeps it.
    ///
    /// - Throws: `usage` for words that do not fit.
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
    /// Refuses a clipboard that is out of reach, before anything is done that would be lost with it.
    func checkClipboard() throws { try Clipboard(environment: environment).checkReady() }

    /// Puts a value into the clipboard, and says for how long; who empties it is started at once.
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
