package import Programs

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
