internal import CommandKit
internal import Console
internal import Programs

extension CodeDelivery {
    func show(_ text: String, waits: Bool, _ result: inout Result) throws {
        let isTerminal = context.console.outputIsTerminal
        guard let format = options.qr else {
            if isTerminal, !context.isJSON {
                try draw(try QRPicture(text, as: .ansi, isForScreen: true), text, waits)
            }
            return try context.output.line(text)
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
        case .ansi:
            let picture = try QRPicture(text, as: .ansi, isForScreen: true)
            if isTerminal { try draw(picture, text, waits) } else { try context.output.data(picture.bytes()) }
            try context.output.line(text)
        case .sextant:
            let picture = try QRPicture(text, as: .sextant, isForScreen: true)
            // In a small window the line goes first, so that it may leave the screen and the picture does not.
            try context.output.line(text)
            if isTerminal { try draw(picture, "", waits) } else { try context.output.data(picture.bytes()) }
        case .none: try context.output.line(text)
        }
    }

    /// Draws on the screen, if it is large enough for the picture and the lines below it: no torn codes.
    private func draw(_ picture: QRPicture, _ text: String, _ waits: Bool) throws {
        let console = context.console
        guard console.isUTF8, !console.isDumb else {
            return context.output.hint("--qr=png  for a picture: this terminal cannot draw one")
        }
        do throws(ConsoleError) {
            try fit(picture, text, waits, in: console.window)
        } catch {
            guard context.terminal.isAvailable else { return context.output.note(error.explanation.message) }
            let smaller = picture.format == .ansi ? "--qr sextant  for a smaller code, or\n" : ""
            try context.terminal.pause(
                """
                The \(error.explanation.message).
                Enlarge it, then Enter. Enter alone gives just the line.
                Next time: \(smaller)-o code.png && xdg-open code.png  for a picture.
                Enter:
                """,
                flag: "--qr=none"
            )
            let window = ConsoleEnvironment.current(context.environment).window
            do throws(ConsoleError) {
                try fit(picture, text, waits, in: window)
            } catch {
                return context.output.note("\(error.explanation.message); the code alone follows")
            }
        }
        try context.output.data(try picture.bytes())
    }

    /// Below the picture stand the code, wrapped, a sentence of one line or two, and perhaps a question.
    private func fit(
        _ picture: QRPicture,
        _ text: String,
        _ waits: Bool,
        in window: WindowSize
    ) throws(ConsoleError) {
        let wrapped = (text.utf8.count + window.columns - 1) / max(1, window.columns)
        let blocks = picture.format.blocks ?? .halves
        try blocks.check(picture.code, linesAround: wrapped + (waits ? 3 : 2), in: window)
    }
}
