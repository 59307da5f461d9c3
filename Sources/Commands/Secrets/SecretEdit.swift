internal import ArgumentParser
internal import Presentation
internal import Secrets
internal import System
internal import Text
internal import VaultCrypto
internal import VaultKit

/// `hsip secret edit NAME`.
struct SecretEdit: Command {
    static let path = "secret edit"
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change a secret's fields, tags and expiry in an editor.",
        discussion: """
            $VISUAL or $EDITOR opens a file in memory, which hsip wipes when the editor ends. A field is a \
            line --- NAME and the lines below it. Saving makes a new version. If you change nothing, or \
            the editor fails, nothing happens. Values that are not plain text stay.

              hsip secret edit db/prod
              EDITOR=nano hsip secret edit notes/servers
            """
    )

    @Argument(help: "The secret.", completion: .secrets)
    var name: String

    func run(_ context: Context) async throws {
        guard !context.globals.asksNothing, !context.console.refusesInput else {
            throw ConsoleError.inputNeeded(flag: "hsip secret set NAME")
        }
        // The editor needs a terminal as its stdout or stderr.
        let console = context.console
        let hasTerminal = console.inputIsTerminal && (console.outputIsTerminal || console.errorIsTerminal)
        let editor = try Editor(context.environment, hasTerminal: hasTerminal)
        let vault = try await context.openVault()
        let (summary, credential) = try await SecretNames(context, vault).using(name) { known in
            try await SecretNames.explaining(known, context, excepting: true) {
                try await vault.wholeCredential(known, history: false)
            }
        }
        let end = credential.expires.map { Times.rfc3339(Int64(clamping: $0)) } ?? "never"
        let comment = [
            "\(summary.name), a \(summary.kind.word), version \(summary.version)",
            "A field is a line --- NAME and the lines below. If you delete that line, the field is removed.",
            "Comments like these are allowed only above the first field.",
        ]
        let text = try CredentialText.text(of: credential, comment: comment, expires: end)
        let file = try EditedFile(text, in: context.environment)
        defer { file.remove() }
        var changes = CredentialTextChanges()
        while true {
            try editor.edit(file, context)
            do {
                changes = try Self.changes(file, credential, end)
                _ = try change(changes, context)
                break
            } catch {
                let failure = Failure(error)
                guard context.isInteractive,
                    try context.terminal.confirm("\(failure.message). Edit it again?")
                else { throw failure }
            }
        }
        let outcome = try await store(changes, summary, vault, context)
        tell(outcome, context)
        if let outcome, outcome.hasNewVersion {
            await context.tellGiven(changed: outcome.summary.name, vault)
        }
        try context.output.succeed(
            .secret(outcome?.summary ?? summary, now: context.now).with([
                "created": false, "newVersion": .bool(outcome?.hasNewVersion ?? false),
            ])
        )
    }

    private static func changes(
        _ file: EditedFile,
        _ credential: Credential,
        _ end: String
    ) throws -> CredentialTextChanges {
        do {
            let text = try CredentialText(reading: try file.text())
            // People cancel an edit by emptying the file.
            return text.isEmpty
                ? CredentialTextChanges() : try text.changes(to: credential, expires: end)
        } catch let error as CredentialTextError {
            throw Failure(error)
        }
    }

    private func change(
        _ changes: CredentialTextChanges,
        _ context: Context
    ) throws -> CredentialChange {
        var change = CredentialChange()
        for (field, value) in changes.values { try change.put(value, in: field) }
        change.dropped = changes.dropped
        change.addedTags = changes.addedTags
        change.removedTags = changes.removedTags
        change.expires = try changes.expires.map { try SecretTimes.end($0, "expires:", now: context.now) }
        return change
    }

    /// Stores the changes; if the secret was changed meanwhile, asks the person first.
    ///
    /// - Returns: The outcome; nil if the text has no changes.
    private func store(
        _ changes: CredentialTextChanges,
        _ summary: CredentialSummary,
        _ vault: any VaultService,
        _ context: Context
    ) async throws -> CredentialOutcome? {
        guard !changes.isEmpty else { return nil }
        var change = try change(changes, context)
        var version = summary.version
        while true {
            change.condition = .version(version)
            do {
                return try await vault(Operations.setCredential, summary.name, change)
            } catch VaultError.secret(.changedMeanwhile) {
                version = try await vault(Operations.credential, summary.name, .kept).summary.version
                let shown = context.output.display.cell(summary.name)
                guard context.isInteractive,
                    try context.terminal.confirm("\(shown) changed meanwhile. Apply your changes on top?")
                else {
                    return try await SecretNames.explaining(summary.name, context) {
                        throw VaultError.secret(.changedMeanwhile)
                    }
                }
            } catch {
                return try await SecretNames.explaining(summary.name, context) { throw error }
            }
        }
    }

    private func tell(_ outcome: CredentialOutcome?, _ context: Context) {
        guard let outcome else { return context.output.say("Nothing changed.") }
        let name = context.output.display.cell(outcome.summary.name)
        guard outcome.hasNewVersion else { return context.output.say("\(name) is changed.") }
        context.output.say("\(name) is version \(outcome.summary.version) now.")
    }
}
