internal import ArgumentParser
internal import Commands
internal import Presentation
internal import RecordStore
internal import SecretServiceStore
internal import Secrets
internal import System
internal import Text
internal import VaultKit
internal import VaultLifecycle

/// `hsip vault import FILE|FOLDER|-`.
struct VaultImport: Command {
    static let path = "vault import"
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import another program's passwords, or a vault export.",
        discussion: """
            hsip detects the format and does not change the files; remove them yourself. Use bitwarden's \
            JSON, a csv with a header, pass's folder and 1password's export.data.

              hsip vault import passwords.csv --dry-run
              unzip -p my.1pux export.data | hsip vault import -
            """
    )

    /// What happens to an entry whose name another one has.
    enum OnDuplicate: String, CaseIterable, ExpressibleByArgument {
        case skip, rename, update

        var taken: CredentialImportRules.ExistingName {
            switch self {
            case .skip: .leave
            case .rename: .rename
            case .update: .addVersion
            }
        }
    }

    @Argument(help: "The file, the folder, or - for stdin.")
    var source: String?

    @Option(help: ArgumentHelp("The format, if hsip should not detect it.", valueName: "form"))
    var from: ImportForm?

    @Flag(name: .customLong("dry-run"), help: "Show what would be imported; change nothing.")
    var isTrial = false

    @Option(
        name: .customLong("on-duplicate"),
        help: ArgumentHelp(
            "If a name is taken (default: rename keys, skip others).",
            valueName: "way"
        )
    )
    var onDuplicate: OnDuplicate?

    @Option(
        name: .customLong("export-passphrase-file"),
        help: ArgumentHelp(
            "Read the export's passphrase from the first line of this file.",
            valueName: "file"
        ),
        completion: .file()
    )
    var passphraseFile: String?

    func run(_ context: Context) async throws {
        let (form, found) = try read(context)
        if from == nil { context.output.note("this is \(form.title)") }
        var rules = CredentialImportRules()
        if let taken = onDuplicate?.taken {
            (rules.taken, rules.takenKeys, rules.takenHosts) = (taken, taken, taken)
        }
        let count: Int
        switch found {
        case .entries(let document): count = try await take(document, form, rules, context)
        case .export(let file):
            let passphrase = try ExportPassphrase.of(passphraseFile, context)
            let bundle = try context.output.working("deriving key…") {
                try BundleSource.read(file, passphrase)
            }
            count = try await take(bundle, form, rules, context)
        case .sshFolder, .knownHosts:
            // The vault is opened before the passphrase of any key is asked for.
            _ = try await context.openVault()
            let folder = SSHFolder(source ?? "", context)
            let bundle = try form == .knownHosts ? folder.lines() : folder.bundle()
            count = try await take(bundle, form, rules, context)
        }
        if !isTrial, count > SecretServiceStore.copiesOfOneCommit { publishCopies(context) }
    }

    /// Reads the source; without a keyring no vault is to be moved, as elsewhere, but this command.
    private func read(_ context: Context) throws -> (ImportForm, ImportSource) {
        do {
            return try context.importReader.read(source, as: from)
        } catch let error as StoreError {
            var failure = Failure(error)
            if failure.hint?.contains("migrate") == true {
                failure.hint = "run this in the desktop's own session, where its keyring is"
            }
            throw failure
        }
    }

    /// Makes what other programs read of a large import into the keyring: one call of the keyring for each, after the import
    /// itself was told.
    private func publishCopies(_ context: Context) {
        guard let place = try? context.place(), case .keyring? = try? context.find(place) else { return }
        defer { context.output.progress(nil) }
        do {
            let found = try context.find(place)
            let opened = try context.unlocker(place)
                .open(found, by: nil, context.patience, OpenOptions(), now: context.now)
            guard case .keyring(let store) = opened.store else { return }
            try store.publishCopies(onlyMissing: true) { done, all in
                context.output.progress("writing item \(done) of \(all) for other programs…")
            }
        } catch {
            context.output.note("other programs do not find everything that was imported yet")
            context.output.hint("hsip doctor --fix")
        }
    }

    /// - Returns: how many entries there were.
    private func take(
        _ document: ImportDocument,
        _ form: ImportForm,
        _ rules: CredentialImportRules,
        _ context: Context
    ) async throws -> Int {
        let reader = try KeyFileReader(context)
        let entries = try EntryImport(document, now: UInt64(clamping: context.now)) { text, name in
            try reader.read(text, context.output.display.name(name))
        }
        let vault = try await context.openVault()
        if entries.count > EntryImport.many, !isTrial, try !context.agrees("Import \(entries.count) entries?")
        {
            throw ConsoleError.refused
        }
        let (outcomes, bundle) = try await context.handing(to: words) {
            try await context.output.working(isTrial ? "comparing…" : "importing…") {
                try await entries.take(into: vault, rules, isTrial: isTrial)
            }
        }
        if !isTrial, let bundle { try await publish(bundle, vault, context) }
        let report = EntryReport(entries, form: form, outcomes, bundle, isTrial: isTrial)
        if let failure = report.failure(context.output.display) { throw failure }
        let isTaken = outcomes.contains(where: \.isStored) || bundle?.keys.contains(where: \.isStored) == true
        if !isTrial, isTaken, form.text != nil, let source, source != "-" {
            let file = context.shown(source)
            context.output.note(
                "\(file) still shows every password to anyone who opens it; "
                    + (report.isWhole ? "remove it" : "keep it until you have what was not imported")
            )
        }
        try show(report, context)
        return entries.count
    }

    private func take(
        _ bundle: VaultBundle,
        _ form: ImportForm,
        _ rules: CredentialImportRules,
        _ context: Context
    ) async throws -> Int {
        let vault = try await context.openVault()
        if bundle.count > EntryImport.many, !isTrial,
            try !context.agrees("Import \(bundle.count) things?")
        {
            throw ConsoleError.refused
        }
        let outcome = try await context.handing(to: words) {
            try await context.output.working(isTrial ? "comparing…" : "importing…") {
                try await vault.takeBundle(bundle, rules, isTrial: isTrial)
            }
        }
        if !isTrial { try await publish(outcome, vault, context) }
        try show(EntryReport(form: form, outcome.secrets, outcome, isTrial: isTrial), context)
        return bundle.count
    }

    /// Writes the public halves of the keys that came.
    private func publish(
        _ outcome: VaultBundleOutcome,
        _ vault: any VaultService,
        _ context: Context
    ) async throws {
        guard !outcome.keys.isEmpty else { return }
        let names = Set(outcome.keys.map(\.name))
        let keys = try await vault(Operations.sshKeys, .kept)
        try context.publish(keys.filter { names.contains($0.name) })
        // One that gave its name up has none under the other one yet.
        PublicKeyFiles(try context.place()).complete(keys)
    }

    /// The words of this command, for a hint.
    private var words: String {
        "vault import " + (source.map { $0 == "-" ? $0 : ShellWord.path($0) } ?? "--from keyring")
    }

    private func show(_ report: EntryReport, _ context: Context) throws {
        let isBrief = context.console.outputIsTerminal
        try context.output.table(report.table(context.output.display, isBrief: isBrief))
        context.output.say(report.summary)
        report.tell(context.output)
        try context.output.succeed(report.json)
    }
}

extension ImportForm: KeyringChoice {}

extension Context {
    /// What reads a file, a folder or the keyring for an import.
    var importReader: ImportReader {
        ImportReader(
            environment: environment,
            asksNothing: globals.asksNothing,
            shown: { self.shown(file: $0) },
            keyring: { try self.connect(self.patience) }
        )
    }
}
