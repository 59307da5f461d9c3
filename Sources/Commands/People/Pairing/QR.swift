internal import ArgumentParser
internal import Presentation
internal import System
internal import Text
internal import VaultLifecycle

/// `hsip qr`: turns any text into a QR code, and back.
struct QR: Command {
    static let path = "qr"
    static let configuration = CommandConfiguration(
        commandName: "qr",
        abstract: "Draw a text as a QR code, or read a QR code.",
        discussion: """
            On a terminal hsip draws the code; elsewhere it writes a PNG picture to stdout.

              hsip qr https://example.org
              hsip pair | hsip qr --qr svg > offer.svg
              hsip qr --read photo.jpg
            """
    )

    @Argument(help: "The text; - or no text reads stdin.")
    var text: String?
    @OptionGroup
    var picture: PictureOptions
    @Option(help: ArgumentHelp("Read the codes in a PNG or JPEG picture.", valueName: "image"))
    var read: String?

    mutating func validate() throws {
        guard read == nil || (text == nil && picture.format == nil && picture.file == nil) else {
            throw ValidationError("--read needs a picture and no other input")
        }
    }

    func run(_ context: Context) async throws {
        if let read { return try self.read(read, context) }
        let text = try input(context)
        guard !text.isEmpty else {
            throw Failure(.malformedInput, "there is no text to draw")
        }
        let drawn = try QRPicture(text, as: chosen(context), isForScreen: isPainted(context))
        var image = JSONValue.null
        if let file = picture.file {
            image = try context.write(drawn, to: file, force: picture.force)
        } else if !context.isJSON {
            try show(text, drawn, context)
        }
        try context.output.succeed([
            "text": .text(text), "version": .integer(drawn.code.version),
            "modules": .integer(drawn.code.size), "errorCorrection": .text(drawn.level), "image": image,
        ])
    }

    private func show(_ text: String, _ drawn: QRPicture, _ context: Context) throws {
        if isPainted(context) {
            try context.paint(text, as: chosen(context))
        } else if context.console.outputIsTerminal, drawn.format != .none {
            try context.showBriefly(drawn)
        } else {
            try context.output.data(drawn.bytes())
        }
    }

    /// The given format, else the format of the file name's ending, else a format that the target can show.
    private func chosen(_ context: Context) -> QRFormat {
        if let format = picture.chosen { return format }
        // Half blocks need UTF-8.
        return context.console.outputIsTerminal && context.console.isUTF8 ? .ansi : .png
    }

    private func isPainted(_ context: Context) -> Bool {
        picture.file == nil && !context.isJSON && context.console.outputIsTerminal
            && chosen(context).blocks != nil
    }

    private func input(_ context: Context) throws -> String {
        if let text, text != "-" { return text }
        if text == nil, context.console.inputIsTerminal {
            return try context.terminal.ask("Text", flag: "TEXT")
        }
        guard var text = String(validating: try OwnFile.read("-"), as: UTF8.self) else {
            throw ConsoleError.notText
        }
        // The line feed at a line's end is not part of the text.
        if text.hasSuffix("\n") { text.removeLast() }
        return text
    }

    private func read(_ path: String, _ context: Context) throws {
        let image = try OwnFile.read(path, limit: ImageReader.limit)
        let texts = try ImageReader(environment: context.environment).codes(in: image)
        for text in texts {
            let isShown = context.console.outputIsTerminal
            try context.output.line(isShown ? context.output.display.text(text) : text)
        }
        let source = path == "-" ? "/dev/stdin" : try AbsolutePath.of(path)
        try context.output.succeed(["texts": .texts(texts), "inputFile": .text(source)])
    }
}
