internal import ArgumentParser

/// The options for the targets of a code besides its line on stdout.
struct DeliveryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Draw a QR code.",
            valueName: "format"
        )
    )
    var qr: QRFormat?

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp(
            "Write to this file (mode 0600); - is stdout.",
            valueName: "file"
        ),
        completion: .file()
    )
    var output: String?

    @Flag(help: "Replace the file if it exists.")
    var force = false

    @Flag(help: "Copy the code to the clipboard.")
    var copy = false

    /// The options as plain values.
    var places: CodeDelivery.Places {
        CodeDelivery.Places(qr: qr, output: NewFile.named(output), replaces: force, copies: copy)
    }
}

/// The options for a text's picture and its file.
struct PictureOptions: ParsableArguments {
    @Option(name: .customLong("qr"), help: "Draw png, svg, ansi, sextant (smaller than ansi) or none.")
    var format: QRFormat?

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: "Write the picture to this file; - is stdout."
    )
    var output: String?

    @Flag(help: "Replace the file if it exists.")
    var force = false

    /// The file; nil for standard output.
    var file: String? { NewFile.named(output) }

    /// The given format, or the format of the file name's ending.
    var chosen: QRFormat? { format ?? file.map { $0.hasSuffix(".svg") ? .svg : .png } }
}
