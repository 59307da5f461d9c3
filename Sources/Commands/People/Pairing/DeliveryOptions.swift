internal import ArgumentParser

/// Where a code goes besides its line on stdout.
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

/// The picture of a text, and the file that it goes to.
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

    /// The form that was asked for; else the one that the name of the file says.
    var chosen: QRFormat? { format ?? file.map { $0.hasSuffix(".svg") ? .svg : .png } }
}
