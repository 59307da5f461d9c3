internal import Console
internal import Credentials
internal import RecordStore
internal import SafeText
internal import VaultKit

/// Turns a word of the command line into the name of a secret.
///
/// Exact for scripts; a person at a terminal may write the beginning of a name, and is told which it was. An exact
/// name costs no look at all the others.
struct SecretNames {
    /// A value where a name belongs; what it says is not repeated.
    static let valueOnCommandLine = Failure.usage(
        "a value never goes on the command line, where other programs and the history see it",
        hint: "hsip secret set NAME  asks for it, or reads it from stdin"
    )

    let context: Context
    let vault: any VaultService

    init(_ context: Context, _ vault: any VaultService) {
        self.context = context
        self.vault = vault
    }

    /// What a word means: a secret of that name if there is one, or what a reference names (`vault:NAME#FIELD`).
    ///
    /// Nothing is read for it but whether there is such a name.
    func meant(by word: String) async throws -> (name: String, field: String?) {
        guard let reference = Reference(reading: Array(word.utf8)) else { return (word, nil) }
        do {
            _ = try await vault.credential(word)
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
            guard let name = try await begun(word, exactly: exactly, inTrash: inTrash) else {
                throw try await unknown(word, inTrash: inTrash)
            }
            return try await body(name)
        } catch VaultError.secret(.inTrash) {
            throw Self.inTrash(word, context)
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
            // Whoever looks for names takes these two on.
            if isLookedFor, [.unknownName, .inTrash].contains(reason) { throw VaultError.secret(reason) }
            var failure = SecretTexts.explain(reason)
            let word = ShellWord.quoted(name)
            failure.hint = failure.hint?.replacing("NAME", with: word)
            switch reason {
            case .unknownName:
                failure.message = "there is no secret named \(context.output.display.name(name))"
            case .inTrash: return try inTrash(name, context).thrown()
            default: break
            }
            throw failure
        }
    }

    private func begun(_ word: String, exactly: Bool, inTrash: Bool) async throws -> String? {
        guard !exactly, context.isInteractive, !word.isEmpty else { return nil }
        let begun = try await names(inTrash: inTrash).filter { $0.hasPrefix(NameRules.normalized(word)) }
        guard begun.count == 1, let name = begun.first else { return nil }
        context.output.note(
            Warning(
                "prefixMatched",
                "that is \(context.output.display.cell(name))",
                fields: [JSONMember("given", .text(word)), JSONMember("name", .text(name))]
            )
        )
        return name
    }

    /// A person is told of names that are near; a script hears at once that there is no such name, without a look at
    /// all the others.
    private func unknown(_ word: String, inTrash: Bool) async throws -> Failure {
        let near =
            word.isEmpty || !context.isInteractive
            ? []
            : try await names(inTrash: inTrash).filter {
                NameDistance.between(word, $0) <= 2 || $0.hasPrefix(word)
            }
        let names = near.prefix(3).map { context.output.display.cell($0) }
        let question = names.isEmpty ? "" : "; did you mean \(names.joined(separator: " or "))?"
        return Failure(
            .notFound,
            code: CredentialError.unknownName.name,
            message: "there is no secret named \(context.output.display.name(word))\(question)",
            hint: inTrash ? "hsip secret list --trash" : "hsip secret list"
        )
    }

    private func names(inTrash: Bool) async throws -> [String] {
        var query = CredentialQuery()
        query.inTrash = inTrash
        return try await vault.credentials(query).map(\.name)
    }

    private static func inTrash(_ name: String, _ context: Context) -> Failure {
        Failure(
            .notFound,
            code: CredentialError.inTrash.name,
            message: "\(context.output.display.name(name)) is in the trash",
            hint: "hsip secret restore \(ShellWord.quoted(name))"
        )
    }
}

extension Failure {
    /// Throws it, where a value is wanted.
    fileprivate func thrown<R>() throws(Failure) -> R { throw self }
}
