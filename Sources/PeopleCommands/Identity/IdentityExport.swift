internal import ArgumentParser
internal import CommandKit
internal import Console
internal import HSIP
internal import VaultCrypto
internal import VaultKit

extension IdentityGroup {
    /// The public half, for other programs.
    struct Export: Command {
        static let path = "identity export"
        static let configuration = CommandConfiguration(
            abstract: "Print the public key, as text or QR code; never the secret one.",
            discussion: """
                  hsip identity export
                  hsip identity export --qr png -o me.png
                """
        )

        @Option(name: .customLong("qr"), help: "png, svg, ansi, sextant (smaller than ansi) or none.")
        var format: QRFormat?
        @Option(
            name: [.customShort("o"), .customLong("output")],
            help: "Write the picture to this file; - is stdout."
        )
        var file: String?
        @Flag(help: "Replace the file if it is there.")
        var force = false

        mutating func validate() throws { file = NewFile.named(file) }

        func run(_ context: Context) async throws {
            let identity = try await context.openVault().identity()
            let text = StrictBase64.encode(identity.publicKey)
            let image = try context.give(text, format, file, force: force)
            try context.output.succeed([
                "name": .text(identity.name), "peerId": .text(identity.peerID.text),
                "peerIdBase64": .base64(identity.peerID.bytes),
                "publicKeyBase64": .base64(identity.publicKey), "image": image,
            ])
        }
    }
}

extension Context {
    /// Gives a public text out: one line, and a QR code where one was asked for.
    ///
    /// - Returns: what the JSON output says of a picture that was written; null without one.
    func give(_ text: String, _ format: QRFormat?, _ file: String?, force: Bool) throws -> JSONValue {
        if let file {
            let chosen = format ?? (file.hasSuffix(".svg") ? .svg : .png)
            let image = try write(try QRPicture(text, as: chosen), to: file, force: force)
            try output.line(text)
            return image
        }
        guard !isJSON, let format, format != .none else {
            try output.line(text)
            return .null
        }
        if !console.outputIsTerminal {
            try output.data(try QRPicture(text, as: format).bytes())
        } else if format.blocks != nil {
            try paint(text, as: format, linesAround: 4)
            try output.line(text)
        } else {
            try output.line(text)
            try showBriefly(try QRPicture(text, as: format))
        }
        return .null
    }
}
