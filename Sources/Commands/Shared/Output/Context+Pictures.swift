internal import Glibc
package import Presentation
internal import System
internal import VaultLifecycle

extension Context {
    /// How often a person may be asked to enlarge the window.
    private static let patience = 5

    /// Paints a text as a QR code on the terminal, always complete.
    ///
    /// If the window is too small, hsip says so and waits until the user has enlarged it.
    ///
    /// - Throws: `windowTooSmall` without a user to ask.
    package func paint(_ text: String, as format: QRFormat = .ansi, linesAround: Int = 3) throws(ConsoleError)
    {
        let picture = try QRPicture(text, as: format, isForScreen: true)
        let blocks = format.blocks ?? .halves
        for _ in 0..<Self.patience {
            let window = ConsoleEnvironment.window(of: STDOUT_FILENO) ?? console.window
            do throws(ConsoleError) {
                try blocks.check(picture.code, linesAround: linesAround, in: window)
                break
            } catch {
                guard case .windowTooSmall = error, terminal.isAvailable else { throw error }
                try terminal.pause(
                    "Your window is too small: \(error.explanation.message). "
                        + "Enlarge it and press Enter (--qr sextant makes a smaller code).",
                    flag: "--qr=png"
                )
            }
        }
        try blocks.check(
            picture.code,
            linesAround: linesAround,
            in: ConsoleEnvironment.window(of: STDOUT_FILENO) ?? console.window
        )
        try output.data(picture.bytes())
    }

    /// Writes a text as a picture into a file of mode 0600.
    ///
    /// - Returns: the picture's entry in the JSON output.
    package func write(
        _ picture: QRPicture,
        to path: String,
        force: Bool
    ) throws -> JSONValue {
        let path = try AbsolutePath.of(path)
        try OwnFile.write(try picture.bytes(), to: path, force: force)
        return picture.json(writtenTo: path)
    }

    /// Shows a picture that a terminal cannot show: a file in the runtime folder, removed when Enter is pressed.
    package func showBriefly(_ picture: QRPicture) throws {
        guard terminal.isAvailable else { throw ConsoleError.inputNeeded(flag: "-o FILE") }
        let name = "code.\(picture.format.rawValue)"
        let file = try RuntimeFile(try picture.bytes(), named: name, in: environment)
        defer { file.remove() }
        output.say("The picture is in \(file.path) until you press Enter.")
        try terminal.pause("Press Enter when the code is scanned:", flag: "-o FILE")
    }
}
