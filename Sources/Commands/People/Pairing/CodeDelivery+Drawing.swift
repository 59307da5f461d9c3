internal import Presentation
internal import System

extension CodeDelivery {
    func show(_ text: String, waits: Bool, _ result: inout Result) throws {
        let isTerminal = context.console.outputIsTerminal
        guard let format = options.qr else {
            guard isTerminal, !context.isJSON else { return try context.output.line(text) }
            return try draw(text, amongst: [.ansi, .sextant], waits)
        }
        switch format {
        case .png, .svg:
            let picture = try QRPicture(text, as: format).bytes()
            guard isTerminal else { return try context.output.data(picture) }
            let file = try RuntimeFile(picture, named: "code.\(format.rawValue)", in: context.environment)
            result.picture = file
            try context.output.line(text)
            context.output.say("The picture is in \(file.path), until this command ends.")
            if !waits { try context.terminal.pause("Press Enter when it is scanned:", flag: "-o FILE") }
        case .ansi, .sextant:
            guard !isTerminal else { return try draw(text, amongst: [format], waits) }
            let picture = try QRPicture(text, as: format, isForScreen: true)
            if format == .sextant { try context.output.line(text) }
            try context.output.data(picture.bytes())
            if format == .ansi { try context.output.line(text) }
        case .none: try context.output.line(text)
        }
    }

    /// Draws on the screen in the first of these forms that fits, and never a torn code.
    ///
    /// If the window is too small for all of them, only the line is printed.
    private func draw(_ text: String, amongst formats: [QRFormat], _ waits: Bool) throws {
        let console = context.console
        guard console.isUTF8, !console.isDumb else {
            context.output.hint("--qr=png  for a picture: this terminal cannot draw one")
            return try context.output.line(text)
        }
        var refusal: ConsoleError?
        for format in formats {
            let picture = try QRPicture(text, as: format, isForScreen: true)
            // In a small window the line is printed first, so that the line may scroll away and the picture does not.
            let isLineFirst = format == .sextant
            do throws(ConsoleError) {
                try fit(picture, isLineFirst ? "" : text, waits, in: console.window)
            } catch {
                refusal = error
                continue
            }
            if isLineFirst { try context.output.line(text) }
            try context.output.data(try picture.bytes())
            return isLineFirst ? context.output.hint(Self.asPicture) : try context.output.line(text)
        }
        try context.output.line(text)
        if let refusal { context.output.note(refusal.explanation.message) }
        if options.mayBeInPerson {
            context.output.hint("hsip pair --in-person  makes a small code for a camera")
        }
        context.output.hint(Self.asPicture)
    }

    /// The hint for a person who cannot scan the screen.
    private static let asPicture = "hsip qr -o code.png  makes a picture of the code"

    /// Checks that a picture fits in the window, with the wrapped code and two more lines, or three if a question follows.
    private func fit(
        _ picture: QRPicture,
        _ text: String,
        _ waits: Bool,
        in window: WindowSize
    ) throws(ConsoleError) {
        let wrapped = (text.utf8.count + window.columns - 1) / max(1, window.columns)
        let blocks = picture.format.blocks ?? .halves
        try blocks.check(picture.code, linesAround: max(1, wrapped) + (waits ? 3 : 2), in: window)
    }
}
