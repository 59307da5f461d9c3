internal import Glibc
package import System
package import VaultCrypto

/// The clipboard of the desktop, for public codes and messages, and for secrets, which are removed after a while.
package struct Clipboard: Sendable {
    /// The size in bytes above which the clipboard cannot contain a code or a message.
    package static let limit = 1 << 20

    let environment: Environment

    package init(environment: Environment = .process) {
        self.environment = environment
    }

    /// Copies a text to the clipboard.
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

    /// Returns the text in the clipboard; empty if the clipboard is empty.
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
        // Both programs exit with 1 if the clipboard is empty.
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

/// Secrets in the clipboard: marked as secret if the desktop supports that, and removed after a while.
extension Clipboard {
    /// The two selections: copied text, and text last marked with the mouse.
    package enum Selection: String, CaseIterable, Sendable {
        case clipboard
        case primary
    }

    /// Refuses a clipboard that cannot be written: without a display, or without a program for it.
    ///
    /// - Throws: `noClipboard`, `missingProgram`.
    package func checkReady() throws(ConsoleError) { _ = try process(try isWayland() ? .wlCopy : .xclip, []) }

    /// Copies a secret to the clipboard, with the mark that excludes it from clipboard histories if `wl-copy`
    /// supports it (2.3).
    ///
    /// `xclip` does not.
    ///
    /// - Throws: the errors of `copy`.
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

    /// Empties a selection if its content has this hash.
    ///
    /// Any other content belongs to another program and stays.
    ///
    /// - Throws: the errors of `paste`; the selection is then unchanged.
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
