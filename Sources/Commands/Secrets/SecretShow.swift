internal import ArgumentParser
internal import Presentation
internal import Secrets
internal import Text
internal import VaultKit

/// `hsip secret show NAME`.
struct SecretShow: Command {
    static let path = "secret show"
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a secret's details, without its values.",
        discussion: """
              hsip secret show db/prod
            """
    )

    @Argument(help: "The secret.", completion: .secrets)
    var name: String

    @Argument(help: .hidden)
    var rest: [String] = []

    @Flag(help: "Show one from the trash.")
    var trash = false

    func run(_ context: Context) async throws {
        guard rest.isEmpty else { throw SecretNames.valueOnCommandLine }
        let vault = try await context.openVault()
        let details = try await SecretNames(context, vault).using(name, inTrash: trash) {
            try await vault(Operations.credential, $0, Listing(inTrash: trash))
        }
        try context.output.facts(sheet(details, context))
        SecretCells.warnExpired(details.summary.name, details.summary.expires, context)
        SecretCells.warnShare(details, context)
        try context.output.succeed(.secretDetails(details, now: context.now))
    }

    private func sheet(_ details: CredentialDetails, _ context: Context) -> FactSheet {
        let (secret, display) = (details.summary, context.output.display)
        var sheet = FactSheet()
        sheet.add("Secret", Cell(own: secret.name, display))
        sheet.add("Type", secret.kind.word)
        if let user = secret.user { sheet.add("User", Cell(own: user, display)) }
        if let url = secret.url { sheet.add("Address", Cell(own: url, display)) }
        for field in details.fields { sheet.add("Field", Cell(own: field, display)) }
        if !secret.tags.isEmpty { sheet.add("Tags", Cell(own: secret.tags.joined(separator: ","), display)) }
        sheet.add("State", SecretCells.state(secret, now: context.now))
        if let end = secret.expires { sheet.add("Ends", Cell(exactly: end)) }
        if let origin = details.origin { sheet.add("From", Cell(peer: origin, display)) }
        sheet.add("In vault", Cell(exactly: secret.created))
        if let removed = secret.removedAt { sheet.add("Removed", Cell(exactly: removed)) }
        for version in details.versions.reversed() {
            sheet.add("Version", Cell("\(version.number)"), Cell(exactly: version.created))
        }
        return sheet
    }
}
