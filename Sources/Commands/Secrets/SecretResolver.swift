internal import Presentation
internal import Secrets
internal import Text
internal import VaultCrypto
internal import VaultKit

/// Reads the values that references name, all at one moment (Schemas/references.md).
struct SecretResolver {
    let context: Context

    /// The values of references; opens the vault, unless the list is empty.
    ///
    /// - Throws: the vault's error for the first value that cannot be read, with its reference.
    func values(of references: [Reference]) async throws -> [Reference: Secret] {
        guard !references.isEmpty else { return [:] }
        guard references.count <= Vault.maximumReferences else {
            throw VaultError.secret(.tooMuch(limit: Vault.maximumReferences))
        }
        let vault = try await context.openVault()
        let found: [CredentialValue]
        do {
            found = try await vault.credentialValues(
                references.map { CredentialReference($0.name, field: $0.field) }
            )
        } catch VaultError.secret(.unresolved(let place, let reason)) {
            guard references.indices.contains(place) else { throw VaultError.malformedCall }
            throw explain(reason, of: references[place])
        }
        for value in found where value.isExpired(at: UInt64(clamping: context.now)) {
            context.output.warn(
                Warning(
                    "secretExpired",
                    "\(context.output.display.cell(value.reference.name)) has expired",
                    hint: "hsip secret set \(ShellWord.quoted(value.reference.name))",
                    fields: ["name": .text(value.reference.name), "expiredAt": .time(value.expires)]
                )
            )
        }
        return Dictionary(zip(references, found.map(\.value)), uniquingKeysWith: { first, _ in first })
    }

    private func explain(_ reason: CredentialError, of reference: Reference) -> Failure {
        var failure = Failure(reason)
        failure.message = "\(context.output.display.cell(reference.text)): \(failure.message)"
        failure.hint = failure.hint?.replacing("NAME", with: ShellWord.quoted(reference.name))
        failure.details = ["reference": .text(reference.text)]
        return failure
    }
}
