internal import Presentation
internal import Secrets
internal import Text
internal import VaultKit

/// Turns a word of the command line into the name of a secret.
///
/// Scripts need exact names; a person at a terminal may type the beginning of a name, and sees which one
/// matched. An exact name needs no list of the others.
struct SecretNames {
    /// A value where a name belongs; what it says is not repeated.
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

    /// What a word means: a secret of that name if there is one, or what a reference names (`vault:NAME#FIELD`).
    ///
    /// Nothing is read for it but whether there is such a name.
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

    /// Does something with a name: as it stands, or else with the one secret whose name begins like that.
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
            // A script hears at once that there is no such name, without a look at all the others.
            guard search.context.isInteractive else { throw search.unknown(word, near: [], inTrash: inTrash) }
            return try await body(try await search.resolve(word, exactly: exactly, inTrash: inTrash).name)
        } catch VaultError.secret(.inTrash) {
            throw search.inTrash(word)
        }
    }

    /// Says what a refusal is about by its name.
    static func explaining<R>(
        _ name: String,
        _ context: Context,
        excepting isLookedFor: Bool = false,
        _ body: () async throws -> R
    ) async throws -> R {
        do {
            return try await body()
        } catch VaultError.secret(let reason) {
            // Anyone who looks for names takes these two on.
            if isLookedFor, [.unknownName, .inTrash].contains(reason) { throw VaultError.secret(reason) }
            throw reason.explanation(of: name, context.output.display)
        }
    }
}
