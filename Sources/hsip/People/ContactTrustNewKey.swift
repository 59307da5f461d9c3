internal import ArgumentParser
internal import Console
internal import HSIP
internal import Programs
internal import SafeText
internal import VaultKit

/// `hsip contact trust-new-key NAME`.
struct ContactTrustNewKey: Command {
    static let path = "contact trust-new-key"
    static let configuration = CommandConfiguration(
        commandName: "trust-new-key",
        abstract: "Replace the key of a contact who has a new one.",
        discussion: """
            Takes the offer or answer that they sent from the new key, and the safety number that they see there \
            and told you. Trust begins anew, and the old sessions end.

              hsip contact trust-new-key bob --expect "38961 10715 …" < new-offer.txt
            """
    )

    @Argument(help: "The contact.", completion: .contacts)
    var name: String

    @Argument(help: "Their new offer or answer: a code, a file or picture, or - for stdin.")
    var code: String?

    @Option(help: ArgumentHelp("The new safety number, as they told you.", valueName: "number"))
    var expect: String?

    @Flag(help: "Read the code with the camera.")
    var camera = false

    @Flag(help: "Read the code from the clipboard.")
    var paste = false

    func run(_ context: Context) async throws {
        let intake = CodeIntake(context: context)
        let vault = try await context.openVault()
        let before = try await ContactNames(context, vault).resolve(name, exactly: true)
        let alias = before.alias
        let text = try intake.read(code, fromCamera: camera, fromClipboard: paste)
        try await context.explaining(vault, about: alias) {
            let code = try await intake.codes(in: text, vault).single()
            let number = try await vault.safetyNumber(claimedBy: code)
            let given = try expect ?? ask(about: alias, context)
            let reply = try await vault.trustNewKey(alias, from: code, expecting: given)
            context.output.tell(reply.notices, about: alias)
            let now = try await vault.contact(alias)
            let shown = context.output.display.cell(alias)
            context.output.say("\(shown) has the key of this code now; trust begins anew.")
            context.output.hint("hsip accept  takes the same code")
            try context.output.succeed(
                .repinned(
                    alias,
                    old: before.contact.peerID,
                    new: now.contact.peerID,
                    number: number.text,
                    trust: now.contact.trust,
                    endedPairings: before.sessions.count
                )
            )
        }
    }

    /// The number is typed in, never shown beforehand: only what came from them may be compared.
    private func ask(about alias: String, _ context: Context) throws(ConsoleError) -> String {
        let shown = context.output.display.cell(alias)
        return try context.terminal.ask(
            "The new safety number, as \(shown) told you",
            flag: "--expect NUMBER"
        )
    }
}

extension CodeIntake.Found {
    /// The one code that was meant; `severalCodes` otherwise.
    func single() throws -> ExchangeCode {
        guard codes.count == 1, let code = codes.first else { throw VaultError.hsip(.severalCodes) }
        return code
    }
}
