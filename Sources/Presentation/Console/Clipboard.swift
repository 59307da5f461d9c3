internal import Glibc
package import System
package import VaultCrypto

/// The clipboard of the desktop: codes and messages, which are public, and secrets, which are taken out again.
package struct Clipboard: Sendable {
    /// More than this in a clipboard is no code and no message.
    package static let limit = 1 << 20

    let environment: Environment

    package init(environment: Environment = .process) {
        self.environment = environment
    }

    /// Puts a text into the clipboard.
    ///
    /// - Throws: `noClipboard`, `missingProgram`, `programFailed`, `timedOut`.
    package func copy(_ text: String) throws(ConsoleError) {
        let program: HelperProgram = try isWayland() ? .wlCopy : .xclip
        let arguments = program == .wlCopy ? [] : ["-selection", "clipboard"]
        var process = try HelperRunner(environment: environment).process(
            program,
            arguments,
            needsDisplay: true
        )
        process.input = Array(text.utf8)
        process.keepsOutput = false
        let status = try process.run().status
        guard status == 0 else { throw .programFailed(program, status: status) }
    }

    /// The text in the clipboard; empty when there is none.
    ///
    /// - Throws: `noClipboard`, `missingProgram`, `notText`, `tooLarge`, `timedOut`.
    package func paste() throws(ConsoleError) -> String {
        let program: HelperProgram = try isWayland() ? .wlPaste : .xclip
        let arguments = program == .wlPaste ? ["--no-newline"] : ["-selection", "clipboard", "-o"]
        var process = try HelperRunner(environment: environment).process(
            program,
            arguments,
            needsDisplay: true
        )
        process.limit = Self.limit
        // Both programs end with 1 when the clipboard is empty.
        let output = try process.run().output
        guard let text = String(validating: output, as: UTF8.self) else { throw .notText }
        return text
    }

    func isWayland() throws(ConsoleError) -> Bool {
        if environment["WAYLAND_DISPLAY"] != nil { return true }
        guard environment["DISPLAY"] != nil else { throw .noClipboard }
        return false
    }
}

/// Secrets in the clipboard: marked as such where the desktop knows that, and taken out again.
extension Clipboard {
    /// The two places where a text can lie: what was copied, and what was last marked with the mouse.
    package enum Selection: String, CaseIterable, Sendable {
        case clipboard
        case primary
    }

    /// Refuses a clipboard that nothing could be put into: no display, or no program for it.
    ///
    /// - Throws: `noClipboard`, `missingProgram`.
    package func checkReady() throws(ConsoleError) { _ = try process(try isWayland() ? .wlCopy : .xclip, []) }

    /// Puts a secret into the clipboard, with the mark that keeps it out of the histories of clipboards where
    /// `wl-copy` knows one (2.3); `xclip` knows none.
    ///
    /// - Throws: as `copy`.
    package func copy(_ secret: Secret) throws(ConsoleError) {
        let program: HelperProgram = try isWayland() ? .wlCopy : .xclip
        var process = try process(
            program,
            program == .wlCopy ? (try knowsSensitive() ? ["--sensitive"] : []) : ["-selection", "clipboard"]
        )
        process.secretInput = secret
        process.keepsOutput = false
        let status = try process.run().status
        guard status == 0 else { throw .programFailed(program, status: status) }
    }

    /// Empties a selection if what it holds has this hash; anything else belongs to another program and stays.
    ///
    /// - Throws: as `paste`; nothing is emptied then.
    package func clear(_ selection: Selection, ifMarked mark: ClipboardMark) throws(ConsoleError) {
        let isWayland = try isWayland()
        let isPrimary = selection == .primary
        var reading = try process(
            isWayland ? .wlPaste : .xclip,
            isWayland
                ? ["--no-newline"] + (isPrimary ? ["--primary"] : [])
                : ["-selection", selection.rawValue, "-o"]
        )
        reading.limit = Self.limit + 1
        var found = try reading.run().output
        defer { found.wipe() }
        guard mark.covers(found) else { return }
        var clearing = try process(
            isWayland ? .wlCopy : .xclip,
            isWayland
                ? ["--clear"] + (isPrimary ? ["--primary"] : []) : ["-selection", selection.rawValue]
        )
        clearing.keepsOutput = false
        _ = try clearing.run()
    }

    private func knowsSensitive() throws(ConsoleError) -> Bool {
        let help = try process(.wlCopy, ["--help"]).run().output
        return String(decoding: help, as: UTF8.self).contains("--sensitive")
    }

    private func process(_ program: HelperProgram, _ arguments: [String]) throws(ConsoleError) -> ChildProcess
    {
        try HelperRunner(environment: environment).process(program, arguments, needsDisplay: true)
    }
}
