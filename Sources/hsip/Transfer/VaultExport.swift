internal import ArgumentParser
internal import Commands
internal import Presentation
internal import RecordStore
internal import SSHFormats
internal import Secrets
internal import System
internal import Text
internal import VaultCrypto
internal import VaultKit

/// `hsip vault export`.
struct VaultExport: Command {
    static let path = "vault export"
    static let readsOldCopies = true
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export passwords, keys and hosts to a file.",
        discussion: """
            --to hsip writes an encrypted file of passwords, keys and hosts, without identity, contacts \
            and session keys. --plaintext writes a file that other programs can read, after you type the \
            number of entries.

              hsip vault export --to hsip -o my.hsipexport
              hsip vault export --plaintext csv -o passwords.csv
            """
    )

    /// The forms without encryption.
    enum Plain: String, CaseIterable, ExpressibleByArgument {
        case json, csv
    }

    /// The forms under a passphrase.
    enum Sealed: String, CaseIterable, ExpressibleByArgument {
        case hsip
    }

    @Option(help: ArgumentHelp("hsip: an encrypted file, for hsip vault import.", valueName: "form"))
    var to: Sealed?

    @Option(help: ArgumentHelp("json or csv: a file that is not encrypted.", valueName: "form"))
    var plaintext: Plain?

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("The file to write.", valueName: "file"),
        completion: .file()
    )
    var output: String?

    @Flag(help: "Replace the file if it exists.")
    var force = false

    @Option(
        name: .customLong("export-passphrase-file"),
        help: ArgumentHelp(
            "Read the export's passphrase from the first line of this file.",
            valueName: "file"
        ),
        completion: .file()
    )
    var passphraseFile: String?

    @Flag(help: "Accept a passphrase that is easy to guess.")
    var weak = false

    @Option(
        help: ArgumentHelp(
            "With --plaintext: the number of entries, instead of typing it.",
            valueName: "number"
        )
    )
    var expect: String?

    mutating func validate() throws { output = NewFile.named(output) }

    func run(_ context: Context) async throws {
        guard (to == nil) != (plaintext == nil) else {
            throw Failure.usage(
                "choose --to hsip, or --plaintext json or csv",
                hint: "hsip vault export --to hsip -o FILE"
            )
        }
        guard plaintext != nil || expect == nil, plaintext == nil || passphraseFile == nil && !weak else {
            throw Failure.usage(
                "--expect works with --plaintext; --export-passphrase-file and --weak work with --to hsip"
            )
        }
        guard let output else {
            throw Failure(
                .inputNeeded,
                "hsip writes an export to a file, never to the screen or into a pipe",
                hint: "-o FILE"
            )
        }
        try NewFile.check(output, replaces: force)
        let vault = try await context.openVault()
        if let plaintext {
            try await writePlain(plaintext, vault, to: output, context)
        } else {
            try await writeSealed(vault, to: output, context)
        }
        let items = try await vault(Operations.itemSearch, ItemSearch()).open.count
        if items > 0 {
            context.output.note(
                "\(Plural.of(items, "item")) of other programs stay here; a backup has them: hsip vault backup"
            )
        }
    }

    private func writeSealed(_ vault: any VaultService, to output: String, _ context: Context) async throws {
        let passphrase = try ExportPassphrase.new(passphraseFile, allowsWeak: weak, context)
        let content = try await ExportContent.of(vault, now: context.now)
        let file = try context.output.working("deriving key…") { try content.sealed(passphrase) }
        try OwnFile.write(file, to: output, force: force)
        try show(content.counts, content.damaged, form: "hsip", isEncrypted: true, output, context)
    }

    private func writePlain(
        _ form: Plain,
        _ vault: any VaultService,
        to output: String,
        _ context: Context
    ) async throws {
        // Everything is asked first: what is not to leave is not read either.
        let entries = try await vault.credentials().count
        let names = form == .json ? try await vault(Operations.sshKeys, .kept).map(\.name) : []
        try context.confirm(
            entries + names.count,
            "entries",
            "Not encrypted: anyone who reads this file sees everything.",
            expected: expect
        )
        let (batch, keys, damaged) = try await vault.exportAll(history: false, sshKeys: names)
        let text =
            switch form {
            case .csv: try PlainExport(csv: batch)
            case .json: try PlainExport(json: batch, keys.map { ($0.name, $0.record) }, now: context.now)
            }
        try OwnFile.write(text.bytes, to: output, force: force)
        let ending = try form == .csv ? batch.items().count { try $0.credential().expires != nil } : 0
        if ending > 0 {
            context.output.note(
                "the table does not tell when \(Plural.of(ending, "secret")) end: --plaintext json does"
            )
        }
        for name in text.leftOut {
            context.output.warn(
                Warning(
                    "notExported",
                    "\(context.output.display.cell(name)) holds bytes that are no text, or too many fields for a table",
                    hint: "hsip vault export --plaintext json",
                    fields: ["name": .text(name)]
                )
            )
        }
        let counts = ExportContent.Counts(secrets: batch.count - text.leftOut.count, keys: keys.count)
        try show(counts, damaged, form: form.rawValue, isEncrypted: false, output, context)
    }

    private func show(
        _ counts: ExportContent.Counts,
        _ damaged: [DamagedRecord],
        form: String,
        isEncrypted: Bool,
        _ output: String,
        _ context: Context
    ) throws {
        var sheet = FactSheet()
        sheet.add("File", context.path(output))
        sheet.add("Secrets", "\(counts.secrets)")
        if counts.keys > 0 { sheet.add("SSH keys", "\(counts.keys)") }
        if counts.hosts > 0 { sheet.add("Hosts", "\(counts.hosts)") }
        if counts.knownHosts > 0 { sheet.add("Known hosts", "\(counts.knownHosts)") }
        try context.output.facts(sheet)
        try context.refuse(damaged, "it is not in the export") { count in
            "the export is written without \(count)"
        }
        try context.output.succeed([
            "form": .text(form), "file": .text(output), "encrypted": .bool(isEncrypted),
            "secrets": .integer(Int64(counts.secrets)), "sshKeys": .integer(Int64(counts.keys)),
            "sshHosts": .integer(Int64(counts.hosts)), "knownHosts": .integer(Int64(counts.knownHosts)),
        ])
    }
}
