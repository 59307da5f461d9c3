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

    /// The same as plain values.
    var places: CodeDelivery.Places {
        CodeDelivery.Places(qr: qr, output: NewFile.named(output), replaces: force, copies: copy)
    }
}
