internal import ArgumentParser
internal import HSIP
internal import Presentation
internal import System
internal import Text
internal import VaultCrypto
internal import VaultKit

/// `hsip identity`: the user's own identity.
struct IdentityGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "identity",
        abstract: "Manage your identity: show, rename, export, renew.",
        subcommands: [Show.self, Set.self, Export.self, RevocationNotice.self, Renew.self]
    )

    /// `hsip identity show`: the facts that contacts know about the user.
    struct Show: Command {
        static let path = "identity show"
        static let configuration = CommandConfiguration(
            abstract: "Show your name, PeerID and public key.",
            discussion: """
                  hsip identity show
                """
        )

        func run(_ context: Context) async throws {
            let vault = try await context.openVault()
            let identity = try await vault(Operations.identity)
            try context.output.facts(IdentityGroup.sheet(identity, context))
            try context.output.succeed(.identity(identity))
        }
    }

    /// `hsip identity set`: another name for new codes.
    struct Set: Command {
        static let path = "identity set"
        static let configuration = CommandConfiguration(
            abstract: "Change the name that your new codes carry.",
            discussion: """
                  hsip identity set --name Alice
                """
        )

        @Option(help: "Your name, as contacts will see it; empty for none.")
        var name: String

        func run(_ context: Context) async throws {
            let name = try OwnName.checked(name)
            let vault = try await context.openVault()
            let identity = try await vault(Operations.setName, name)
            try context.output.facts(IdentityGroup.sheet(identity, context))
            try context.output.succeed(.identity(identity))
        }
    }

    fileprivate static func sheet(_ identity: IdentitySummary, _ context: Context) -> FactSheet {
        var sheet = FactSheet()
        sheet.add("Name", Cell(own: identity.name, context.output.display))
        sheet.add("PeerID", identity.peerID.text)
        sheet.add("Public key", StrictBase64.encode(identity.publicKey))
        sheet.add("Session", identity.peerID.sessionID)
        sheet.add("Created", Cell(exactly: identity.created))
        return sheet
    }
}

extension IdentityGroup {
    /// `hsip identity revocation-notice`: the notice that ends the identity.
    struct RevocationNotice: Command {
        static let path = "identity revocation-notice"
        static let configuration = CommandConfiguration(
            commandName: "revocation-notice",
            abstract: "Print the notice that ends your identity for good.",
            discussion: """
                The notice was made together with the identity, and printing it changes nothing here. \
                Anyone who gives the notice to your contacts ends your identity for them. Keep it like a \
                key, on paper, for the case that the vault is lost or stolen.

                  hsip identity revocation-notice -o notice.png
                """
        )

        @OptionGroup var delivery: DeliveryOptions

        func run(_ context: Context) async throws {
            let vault = try await context.openVault()
            let notice = try await vault(Operations.revocationNotice)
            guard
                try context.agrees("Anyone who has this notice can end your identity for good. Print it?")
            else { throw ConsoleError.refused }
            let delivered = try CodeDelivery(context, delivery.places).deliver(.revoke(notice))
            defer { delivered.end() }
            context.output.note(
                "nothing has ended yet; your identity ends for everyone who accepts this notice"
            )
            try context.output.succeed(.code(.revoke(notice), contact: nil, isCached: true, delivered))
        }
    }
}

extension IdentityGroup {
    /// `hsip identity renew`: replaces an identity that a thief may have with a new one.
    struct Renew: Command {
        static let path = "identity renew"
        static let configuration = CommandConfiguration(
            abstract: "End your identity and make a new one.",
            discussion: """
                For a vault that was stolen while open. hsip prints the notice that ends your old \
                identity, ends every session and makes a new identity of the same name. Send the notice to \
                all contacts and pair with each again: they replace your old key with hsip contact \
                replace-key. Your contacts, and what you verified of them, stay.

                  hsip identity renew -o notice.png
                """
        )

        @OptionGroup var delivery: DeliveryOptions

        func run(_ context: Context) async throws {
            let delivery = CodeDelivery(context, delivery.places)
            try delivery.check()
            let vault = try await context.openVault()
            let notice = try await vault(Operations.revocationNotice)
            guard
                try context.agrees(
                    "Every session ends, and every contact has to replace your key. Make a new identity?"
                )
            else { throw ConsoleError.refused }
            // Only the old identity has its notice, so the notice is delivered before the old identity is removed.
            let delivered = try delivery.deliver(.revoke(notice))
            defer { delivered.end() }
            let identity = try await vault(Operations.renewIdentity)
            context.output.say("Your new identity: \(identity.peerID.text)")
            context.output.note(
                "send the notice to all contacts; your old identity ends for each who accepts it"
            )
            context.output.note("then pair with each contact again: hsip pair NAME")
            try context.output.succeed(.code(.revoke(notice), contact: nil, isCached: true, delivered))
        }
    }
}
