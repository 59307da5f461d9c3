internal import Presentation
internal import Secrets
internal import Text
internal import VaultKit

/// Finds the secret that a word on the command line names.
///
/// Scripts need exact names; a person at a terminal may type the beginning of a name, and sees which name
/// matched. For an exact name, the other names are not read.
struct SecretNames {
    /// The error for a value where a name belongs; it does not repeat the value.
    static let valueOnCommandLine = Failure.usage(
        "a value cannot be given on the command line, where other programs and the history see it",
        hint: "hsip secret set NAME  asks for the value or reads it from stdin"
    )

    private let vault: any VaultService
    private let search: NameSearch<CredentialSummary>

    init(_ context: Context, _ vault: any VaultService) {
        self.vault = vault
        search = NameSearch(context: context, lookup: .secrets(vault), name: \.name, words: .secret)
    }

    /// The name and field that a word means: a secret with that name, or else a reference (`vault:NAME#FIELD`).
    ///
    /// To decide, hsip only checks if the name exists.
    func meant(by word: String) async throws -> (name: String, field: String?) {
        guard let reference = Reference(reading: Array(word.utf8)) else { return (word, nil) }
        do {
            _ = try await vault(Operations.credential, word, .kept)
        } catch VaultError.secret(.unknownName) {
            return (reference.name, reference.field)
        } catch VaultError.secret(.inTrash) {
            return (word, nil)
        }
        return (word, nil)
    }

    /// Runs `body` with the exact name, or else with the only secret whose name begins with the word.
    func using<R>(
        _ word: String,
        exactly: Bool = false,
        inTrash: Bool = false,
        _ body: (String) async throws -> R
    ) async throws -> R {
        let meant = try await meant(by: word)
        let word = meant.field == nil ? meant.name : word
        do {
            return try await body(word)
        } catch VaultError.secret(.unknownName) {
            // A script gets the error at once, without a search through all other names.
            guard search.context.isInteractive else { throw search.unknown(word, near: [], inTrash: inTrash) }
            return try await body(try await search.resolve(word, exactly: exactly, inTrash: inTrash).name)
        } catch VaultError.secret(.inTrash) {
            throw search.inTrash(word)
        }
    }

    /// Runs `body`; its errors name the secret.
    static func explaining<R>(
        _ name: String,
        _ context: Context,
        excepting isLookedFor: Bool = false,
        _ body: () async throws -> R
    ) async throws -> R {
        do {
            return try await body()
        } catch VaultError.secret(let reason) {
            // Callers that search for names handle these two errors.
            if isLookedFor, [.unknownName, .inTrash].contains(reason) { throw VaultError.secret(reason) }
            throw reason.explanation(of: name, context.output.display)
        }
    }
}
