internal import ArgumentParser
internal import HSIP
internal import Presentation
internal import System
internal import VaultCrypto
internal import VaultKit

/// `hsip session import NAME`.
struct SessionImport: Command {
    static let path = "session import"
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import a 32-byte key of an old HSIP program.",
        discussion: """
            The key comes from stdin or a hidden question, in hexadecimal or base64, never from the \
            command line. The messages are the same as in the old program.

              hsip session import old-phone --peer ID < key.txt
            """
    )

    @Argument(help: "Your name for the contact.")
    var name: String

    @Argument(help: .hidden)
    var rest: [String] = []

    @Option(
        help: ArgumentHelp("The PeerID in the old program: base64 or hexadecimal.", valueName: "id")
    )
    var peer: String

    @Option(help: ArgumentHelp("How long the key can be used, up to 30d (default: 7d).", valueName: "span"))
    var life: String?

    func run(_ context: Context) async throws {
        guard rest.isEmpty else {
            throw Failure.usage(
                "a key never goes on the command line, where other programs can see it",
                hint: "hsip session import NAME --peer ID < FILE"
            )
        }
        var hours = Terms.standardLifeHours
        if let life {
            hours = try OfferOptions.span(
                life,
                option: "--life",
                unit: 3_600,
                maximum: Terms.longestLifeHours,
                range: "1h to 30d"
            )
        }
        let vault = try await context.openVault()
        let peerID = try await peerID(vault)
        let key = Secret(try key(context))
        do {
            let reply = try await context.explaining(vault, about: name, name: name) {
                try await vault(
                    Operations.importKey,
                    LegacyImport(key: key, peerID: peerID, alias: name, lifeHours: hours)
                )
            }
            context.output.tell(reply.notices, about: name)
        } catch var failure as Failure where failure.name == ErrorName.keyKnown.rawValue {
            let owner = try await vault(Operations.owner, key)
            failure.details = ["contact": .optional(owner)]
            throw failure
        }
        try context.output.succeed(.session(try await vault(Operations.contact, name)))
    }

    /// The PeerID from `--peer`: all 32 bytes, or the short form of a contact's PeerID.
    ///
    /// The short form can only be compared with a PeerID that is known already.
    private func peerID(_ vault: any VaultService) async throws -> PeerID {
        if let id = try? LegacyKey.readPeerID(Array(peer.utf8)) { return id }
        let known = try await vault(Operations.contacts, .kept).first { $0.alias == name }?.contact.peerID
        guard let known, known.text == peer.uppercased() else {
            throw Failure(
                .malformed,
                "--peer needs 32 bytes in base64 or hexadecimal, not the short form"
            )
        }
        return known
    }

    private func key(_ context: Context) throws -> SecretBytes {
        let text =
            if context.console.inputIsTerminal {
                try context.terminal.askHidden("Key", flag: "stdin")
            } else {
                try OwnFile.readSecret("-", limit: 4_096)
            }
        return try LegacyKey.read(text)
    }
}
