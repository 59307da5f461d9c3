internal import ArgumentParser
internal import HSIP
internal import Presentation
internal import VaultCrypto
internal import VaultKit

extension IdentityGroup {
    /// `hsip identity export`: the public key, for other programs.
    struct Export: Command {
        static let path = "identity export"
        static let configuration = CommandConfiguration(
            abstract: "Print your public key as text or QR code.",
            discussion: """
                  hsip identity export
                  hsip identity export --qr png -o me.png
                """
        )

        @OptionGroup
        var picture: PictureOptions

        func run(_ context: Context) async throws {
            let vault = try await context.openVault()
            let identity = try await vault(Operations.identity)
            let text = StrictBase64.encode(identity.publicKey)
            let image = try context.give(text, picture)
            try context.output.succeed([
                "name": .text(identity.name), "peerId": .text(identity.peerID.text),
                "peerIdBase64": .base64(identity.peerID.bytes),
                "publicKeyBase64": .base64(identity.publicKey), "image": image,
            ])
        }
    }
}

extension Context {
    /// Prints a public text as one line, with a QR code if the options ask for it.
    ///
    /// - Returns: The written picture's entry in the JSON output; null without a picture.
    func give(_ text: String, _ picture: PictureOptions) throws -> JSONValue {
        if let file = picture.file, let format = picture.chosen {
            let image = try write(try QRPicture(text, as: format), to: file, force: picture.force)
            try output.line(text)
            return image
        }
        guard !isJSON, let format = picture.format, format != .none else {
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
