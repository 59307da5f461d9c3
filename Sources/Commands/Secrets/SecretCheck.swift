internal import ArgumentParser
internal import Presentation
internal import Secrets
internal import System
internal import Text
internal import VaultKit

/// `hsip secret check [NAME…|-]`.
struct SecretCheck: Command {
    static let path = "secret check"
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Find weak, reused, old and expired passwords.",
        discussion: """
            hsip estimates the strength by the patterns that people use, not only by length. With -, hsip \
            checks a password from stdin. No value leaves the vault.

              hsip secret check
              hsip secret check db/prod
              hsip secret check github gitlab
              hsip secret check - < password
            """
    )

    @Argument(
        help: "The secrets to check (default: all); - reads a password from stdin.",
        completion: .secrets
    )
    var names: [String] = []

    func run(_ context: Context) async throws {
        if names == ["-"] { return try judge(context) }
        guard names.count <= Vault.maximumReferences, !names.contains("-") else {
            throw Failure.usage(
                "name up to \(Vault.maximumReferences) secrets, or only - for a password from stdin"
            )
        }
        let vault = try await context.openVault()
        var known: [String] = []
        for name in names {
            let found = try await SecretNames(context, vault).using(name) {
                try await vault(Operations.credential, $0, .kept)
            }
            known.append(found.summary.name)
        }
        try show(try await vault(Operations.checkCredentials, known), context, named: known.count)
    }

    private func judge(_ context: Context) throws {
        let text = try OwnFile.readSecret("-", limit: CredentialField.longestValue).withoutLastLineFeed()
        let strength = ChosenPassword.strength(of: text)
        try context.output.line(strength.text)
        try context.output.succeed(["strength": .strength(strength), "findings": []])
    }

    private func show(_ report: CredentialReport, _ context: Context, named: Int) throws {
        let columns = [Column("secret"), Column("findings", .left, .wrapped), Column("strength")]
        let rows = report.findings.map { finding in
            let words = finding.words.isEmpty ? "-" : finding.words.joined(separator: ", ")
            return [Cell(context.shown(finding.name)), Cell(words), Cell(finding.strength?.text ?? "-")]
        }
        try context.output.table(Table(columns, rows: rows))
        if report.isCut { context.output.note("more secrets were found; these come first by name") }
        if named == 0 {
            let bad = report.findings.count
            context.output.say(
                bad == 0
                    ? "\(Plural.of(report.checked, "secret")): none is weak, reused, old or expired."
                    : "\(bad) of \(Plural.of(report.checked, "secret")) could be better."
            )
        }
        context.endDamaged(report.damaged, "value not checked") {
            "not every secret was checked: the vault has \($0)"
        }
        let one = named == 1 ? report.findings.first?.strength : nil
        try context.output.succeed([
            "strength": one.map { .strength($0) } ?? .null, "checked": .integer(report.checked),
            "findings": .list(report.findings.map(Self.json)),
        ])
    }

    private static func json(_ finding: CredentialReport.Finding) -> JSONValue {
        [
            "name": .text(finding.name), "findings": .texts(finding.words),
            "strength": finding.strength.map { .strength($0) } ?? .null, "sameAs": .texts(finding.sameAs),
            "expiresAt": .time(finding.expires), "changedAt": .time(finding.changed),
        ]
    }
}
