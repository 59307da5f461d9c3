internal import ArgumentParser
internal import Presentation
internal import SSHFormats
internal import System
internal import VaultCrypto
internal import VaultKit

/// `hsip ssh key import FILE|FOLDER|-`.
struct SSHKeyImport: Command {
    static let path = "ssh key import"
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import private keys from files; the files stay.",
        discussion: """
            hsip reads OpenSSH and PEM keys (with ssh-add) and PuTTY keys (.ppk, with puttygen). From a \
            folder it imports every private key, with its certificate (-cert.pub) and comment (.pub).

              hsip ssh key import ~/.ssh
              hsip ssh key import ~/.ssh/id_ed25519 --name work
            """
    )

    @Argument(help: "Files, folders, or - for stdin.", completion: .file())
    var sources: [String]

    @Option(help: ArgumentHelp("The key's name in the vault, if you import one key.", valueName: "name"))
    var name: String?

    @Option(
        name: .customLong("key-passphrase-file"),
        help: ArgumentHelp(
            "Read the keys' passphrase from the first line of this file.",
            valueName: "file"
        ),
        completion: .file()
    )
    var passphraseFile: String?

    @Flag(help: "Do not share the keys with other machines.")
    var local = false

    /// The number of keys above which the user is asked first.
    private static let many = 100

    func run(_ context: Context) async throws {
        let name = try name.map { try KeyNames.new($0) }
        let files = try KeySource.all(sources)
        guard name == nil || files.count == 1 else {
            throw Failure.usage("--name works only for one key")
        }
        let reader = try KeyFileReader(context, passphraseFile: passphraseFile)
        var report = ImportReport()
        var imports: [(path: String, key: KeyImport)] = []
        var held: [KeySummary] = []
        let vault = try await context.openVault()
        let known = try await Self.keys(vault)
        for file in files {
            do {
                let text: Secret
                switch try file.content() {
                case .key(let found): text = found
                case .other(let reason):
                    report.skipped.append(SkippedFile(path: file.path, reason: reason))
                    continue
                }
                if let bad = file.badCertificate,
                    !files.contains(where: { $0.path == bad.path && !$0.isFound })
                {
                    let failure = ImportReport.explain(ImportReport.unsigned(bad.reason), bad.path)
                    report.lines.append(.init(path: bad.path, result: .failure(failure)))
                }
                switch Self.held(text, file, known) {
                case .known(let key)?:
                    report.lines.append(
                        .init(path: file.path, result: .success(.known(key, newCertificates: 0)))
                    )
                    held.append(key)
                case .changes(let key)?: imports.append((file.path, key))
                case nil:
                    var key = try reader.key(text, file, named: name, known)
                    if local, case .key(var record) = key.content {
                        record.use.isLocal = true
                        key.content = .key(record)
                    }
                    imports.append((file.path, key))
                }
            } catch ConsoleError.interrupted(let signal) {
                throw ConsoleError.interrupted(signal: signal)
            } catch {
                let failure = ImportReport.explain(error, file.path)
                report.lines.append(.init(path: file.path, result: .failure(failure)))
            }
        }
        if imports.count > Self.many, try !context.agrees("Import \(imports.count) keys?") {
            throw ConsoleError.refused
        }
        try await store(imports, vault, context, &report)
        // An interrupted import may have left the key in the vault without its public file.
        try context.publish(held)
        report.lines.sort { $0.path < $1.path }
        report.noteWhatIsLeft(context)
        if report.lines.isEmpty {
            throw Failure(
                .noKey,
                "the folder has no private key",
                hint: "hsip ssh key import ~/.ssh"
            )
        }
        if report.failures.count < report.lines.count { try context.output.table(report.table(context)) }
        if let failure = try report.failure(context) { throw failure }
        try context.output.succeed(try report.json(context))
    }

    private func store(
        _ imports: [(path: String, key: KeyImport)],
        _ vault: any VaultService,
        _ context: Context,
        _ report: inout ImportReport
    ) async throws {
        guard !imports.isEmpty else { return }
        let outcomes = try await vault(Operations.importSSHKeys, imports.map(\.key))
        for (file, outcome) in zip(imports, outcomes) {
            report.lines.append(.init(path: file.path, result: .success(outcome)))
        }
        try context.publish(outcomes.map(\.key))
        // Hosts may name a key that is new or back, or that has a new certificate.
        let changed = outcomes.filter { if case .known(_, newCertificates: 0) = $0 { false } else { true } }
        guard !changed.isEmpty else { return }
        try await context.publishCertificates(of: changed.map(\.key), from: vault)
        await context.refreshSSHSettings(vault)
    }

    /// The result for a file whose public half shows that its key is in the vault: its passphrase is not needed.
    private enum Held {
        case known(KeySummary)
        /// The certificate beside the file is added to the key.
        case changes(KeyImport)
    }

    private static func held(_ text: Secret, _ file: KeySource, _ known: [String: KeySummary]) -> Held? {
        guard let publicKey = (try? OpenSSHKeyFile(text: text))?.publicKey,
            let key = known[publicKey.fingerprint.description]
        else { return nil }
        let certificates = [file.certificate].compactMap(\.self).filter { $0.plain.isSameKey(as: publicKey) }
        guard !certificates.isEmpty else { return .known(key) }
        return .changes(KeyImport(present: publicKey, certificates: certificates, named: key.name))
    }

    /// The keys in the vault by fingerprint.
    ///
    /// Keys in the trash are left out, because an import needs the private half to restore one.
    private static func keys(_ vault: any VaultService) async throws -> [String: KeySummary] {
        let keys = try await vault(Operations.sshKeys, .kept)
        return Dictionary(keys.map { ($0.fingerprint, $0) }, uniquingKeysWith: { first, _ in first })
    }
}
