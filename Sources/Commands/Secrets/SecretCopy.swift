internal import ArgumentParser
internal import Presentation
internal import Secrets
internal import Text
internal import VaultKit

/// `hsip secret cp NAME NEW`.
struct SecretCopy: Command {
    static let path = "secret cp"
    static let configuration = CommandConfiguration(
        commandName: "cp",
        abstract: "Copy a secret's fields, tags and expiry to a new name.",
        discussion: """
            The older versions stay with the original. hsip refuses an existing name, and a secret whose \
            one-time passwords use a counter: two secrets cannot share the counter.

              hsip secret cp db/prod db/staging
            """
    )

    @Argument(help: "The secret.", completion: .secrets)
    var name: String

    @Argument(help: "The new secret's name.")
    var other: String

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let outcome = try await SecretNames(context, vault).using(name, exactly: true) { known in
            let details = try await vault(Operations.credential, known, .kept)
            let change = try await copy(of: details, vault)
            return try await SecretNames.explaining(other, context) {
                try await vault(Operations.setCredential, other, change)
            }
        }
        context.output.say("\(context.output.display.cell(outcome.summary.name)) is a copy.")
        try context.output.succeed(.secret(outcome.summary, now: context.now))
    }

    /// Copies every field of one version, even if the original changes meanwhile.
    private func copy(
        of details: CredentialDetails,
        _ vault: any VaultService
    ) async throws -> CredentialChange {
        let secret = details.summary
        if details.fields.contains(CredentialField.totp) { try await refuseCounter(of: secret, vault) }
        var change = CredentialChange()
        change.condition = .absent
        change.kind = secret.kind
        change.addedTags = secret.tags
        change.expires = secret.expires.map { .at($0) }
        for field in details.fields {
            let reference = CredentialReference(secret.name, field: field, version: secret.version)
            try change.put(try await vault.credentialValue(reference).value, in: field)
        }
        return change
    }

    /// Refuses to copy a counter for one-time passwords.
    ///
    /// Two counters would give the same passwords, and the service accepts each password only once.
    private func refuseCounter(of secret: CredentialSummary, _ vault: any VaultService) async throws {
        let reference = CredentialReference(secret.name, field: CredentialField.totp, version: secret.version)
        let value = try await vault.credentialValue(reference).value
        guard let key = try? OneTimeKey(reading: value), case .counter = key.moving else { return }
        throw Failure.usage(
            "the secret's one-time passwords use a counter, which two secrets cannot share",
            hint: "hsip secret mv NAME NEW  renames the secret"
        )
    }
}
