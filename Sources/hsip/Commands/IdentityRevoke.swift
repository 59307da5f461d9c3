internal import ArgumentParser
internal import Console
internal import HSIP
internal import VaultKit

extension IdentityGroup {
    /// The notice that ends the identity.
    struct Revoke: Command {
        static let path = "identity revoke"
        static let configuration = CommandConfiguration(
            abstract: "Print the notice that ends your identity for good.",
            discussion: """
                The notice was made together with the identity and changes nothing here. Whoever gives it to \
                your contacts ends the identity for them, so keep it like a key: on paper, for the day the \
                vault is lost or stolen.
                """)

        @Option(name: .customLong("qr"), help: "png, svg, ansi or none.")
        var format: QRFormat?
        @Option(name: [.customShort("o"), .customLong("output")], help: "Write the picture to this file.")
        var file: String?
        @Flag(help: "Replace the file if it is there.")
        var force = false

        func run(_ context: Context) async throws {
            let notice = try await context.openVault().revocationNotice()
            guard
                try context.agrees("Whoever gets this notice can end your identity for good. Print it?")
            else { throw ConsoleError.refused }
            let image = try context.give(notice.text, format, file, force: force)
            context.output.note("nothing was ended here; the notice works for whoever takes it")
            try context.output.succeed([
                "kind": "revoke", "code": .text(notice.text), "contact": nil,
                "issuedAt": .time(Int64(clamping: notice.header.issued)), "expiresAt": nil,
                "lifeSeconds": nil, "limit": nil, "fresh": false, "scope": "identity",
                "reason": .text(notice.reason.word), "cached": true, "image": image, "copied": false,
            ])
        }
    }
}

extension RevokeReason {
    /// The reason as the JSON output and `--reason` spell it.
    var word: String {
        switch self {
        case .none: "none"
        case .lostDevice: "lost"
        case .compromised: "compromised"
        case .ended: "ended"
        }
    }
}
