internal import ArgumentParser
internal import Presentation
internal import Secrets
internal import Text
internal import VaultCrypto
internal import VaultKit

/// `hsip secret set NAME`.
struct SecretSet: Command {
    static let path = "secret set"
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Save a secret. Older values stay as versions.",
        discussion: """
            The value comes from a hidden question, from stdin or from a file, never from the command \
            line. Other fields stay.

              hsip secret set db/prod --user deploy --expires 90d
            """
    )

    @Argument(help: "The secret's name.", completion: .secrets)
    var name: String

    @Argument(help: .hidden)
    var rest: [String] = []

    @Option(
        help: ArgumentHelp("The field to write (default: the type's main field).", valueName: "name"),
        completion: .fields
    )
    var field: String?

    @Option(
        help: ArgumentHelp(
            "Type of a new secret: login (default), token, note, file.",
            valueName: "type"
        ),
        completion: .list(["login", "token", "note", "file"])
    )
    var type: String?

    @Option(help: ArgumentHelp("The user to log in as; an empty name removes it.", valueName: "name"))
    var user: String?

    @Option(
        help: ArgumentHelp("The address to log in at; an empty address removes it.", valueName: "address")
    )
    var url: String?

    @Option(
        help: ArgumentHelp(
            "Expiry: 90d, 1y, 2027-03-01, an RFC 3339 time or never.",
            valueName: "time"
        )
    )
    var expires: String?

    @Option(help: ArgumentHelp("Add a tag to find the secret by; may be repeated.", valueName: "word"))
    var tag: [String] = []

    @Option(help: ArgumentHelp("A tag to remove; may be repeated.", valueName: "word"))
    var untag: [String] = []

    @Option(name: .customLong("drop-field"), help: ArgumentHelp("A field to remove.", valueName: "name"))
    var dropped: [String] = []

    @Option(
        name: .customLong("from-file"),
        help: ArgumentHelp("Read the value from a file.", valueName: "file"),
        completion: .file()
    )
    var file: String?

    @Flag(help: "Keep every byte; allow an empty value.")
    var exact = false

    @Flag(name: .customLong("keep-value"), help: "Change only what the options say.")
    var keepsValue = false

    @Flag(name: .customLong("new"), help: "Refuse if a secret with this name exists.")
    var isNew = false

    func run(_ context: Context) async throws {
        var change = try words(context)
        let vault = try await context.openVault()
        let (before, trashed) = try await existing(vault)
        try check(before)
        if !keepsValue {
            let kind = before?.summary.kind ?? change.kind ?? .login
            let source = CredentialSource(file: file, isExact: exact || kind == .file, context: context)
            let value =
                onlyTakesAway
                ? try source.piped()
                : try source.value(of: name, field: field, kind: kind, isNew: before == nil)
            if let value { try change.put(value, in: field) }
        }
        let outcome = try await SecretNames.explaining(name, context) {
            try await vault(Operations.setCredential, name, change)
        }
        tell(outcome, before, context)
        if let trashed { try await tellMoved(from: trashed, vault, context) }
        if outcome.hasNewVersion, !outcome.isNew {
            await context.tellGiven(changed: outcome.summary.name, vault)
        }
        try context.output.succeed(
            .secret(outcome.summary, now: context.now).with([
                "created": .bool(outcome.isNew), "newVersion": .bool(outcome.hasNewVersion),
            ])
        )
    }

    /// The secret with this name; if it is in the trash, where it will get another name, the names in the trash instead.
    private func existing(_ vault: any VaultService) async throws
        -> (secret: CredentialDetails?, trashed: Set<String>?)
    {
        do {
            return (try await vault(Operations.credential, name, .kept), nil)
        } catch VaultError.secret(.unknownName) {
            return (nil, nil)
        } catch VaultError.secret(.inTrash) {
            return (nil, try await Self.trashed(vault))
        }
    }

    private static func trashed(_ vault: any VaultService) async throws -> Set<String> {
        var query = CredentialQuery()
        query.inTrash = true
        return Set(try await vault.credentials(query).map(\.name))
    }

    /// Reports the new name of the secret in the trash that had this name.
    private func tellMoved(from trashed: Set<String>, _ vault: any VaultService, _ context: Context)
        async throws
    {
        for moved in try await Self.trashed(vault).subtracting(trashed).sorted() {
            context.output.note(
                "the secret of the same name in the trash is now called \(context.output.display.cell(moved))"
            )
            context.output.hint("hsip secret restore \(ShellWord.quoted(moved))")
        }
    }

    private func check(_ before: CredentialDetails?) throws {
        guard let before else { return }
        if isNew { throw VaultError.secret(.nameTaken) }
        if let type, before.summary.kind.word != type { throw VaultError.secret(.kindDiffers) }
    }

    private func tell(_ outcome: CredentialOutcome, _ before: CredentialDetails?, _ context: Context) {
        guard !outcome.isNew, !outcome.hasNewVersion else { return context.tellStored(outcome) }
        let (old, new) = (before?.summary, outcome.summary)
        let isSame = old?.tags == new.tags && old?.expires == new.expires
        let name = context.output.display.cell(new.name)
        context.output.say(isSame ? "\(name) did not change." : "\(name) changed; its values did not.")
    }
}
