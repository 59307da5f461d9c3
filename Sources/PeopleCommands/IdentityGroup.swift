internal import ArgumentParser
internal import CommandKit
internal import Console
internal import HSIP
internal import SafeText
internal import VaultCrypto
internal import VaultKit

/// One's own identity.
struct IdentityGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "identity",
        abstract: "Your own identity: show, set, export, revoke.",
        subcommands: [Show.self, Set.self, Export.self, Revoke.self]
    )

    /// What contacts know of me.
    struct Show: Command {
        static let path = "identity show"
        static let configuration = CommandConfiguration(
            abstract: "Show your name, PeerID and public key.",
            discussion: """
                  hsip identity show
                """
        )

        func run(_ context: Context) async throws {
            let identity = try await context.openVault().identity()
            try context.output.facts(IdentityGroup.sheet(identity, context))
            try context.output.succeed(.identity(identity))
        }
    }

    /// Another name for new codes.
    struct Set: Command {
        static let path = "identity set"
        static let configuration = CommandConfiguration(
            abstract: "Change the name that new codes carry.",
            discussion: """
                  hsip identity set --name Alice
                """
        )

        @Option(help: "Your name, as contacts will see it; empty for none.")
        var name: String

        func run(_ context: Context) async throws {
            let name = try OwnName.checked(name)
            let identity = try await context.openVault().setName(name)
            try context.output.facts(IdentityGroup.sheet(identity, context))
            try context.output.succeed(.identity(identity))
        }
    }

    fileprivate static func sheet(_ identity: IdentitySummary, _ context: Context) -> FactSheet {
        let created = Int64(clamping: identity.created)
        var sheet = FactSheet()
        sheet.add("Name", Cell(own: identity.name, context.output.display))
        sheet.add("PeerID", identity.peerID.text)
        sheet.add("Public key", StrictBase64.encode(identity.publicKey))
        sheet.add("Session", identity.peerID.sessionID)
        sheet.add("Created", Cell(Times.exact(created), value: Times.rfc3339(created)))
        return sheet
    }
}
