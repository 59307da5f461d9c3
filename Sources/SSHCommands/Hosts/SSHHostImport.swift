internal import ArgumentParser
internal import CommandKit
internal import Console
internal import Programs
internal import SSHFormats
internal import VaultKit

/// `hsip ssh host import FILE|-`.
struct SSHHostImport: Command {
    static let path = "ssh host import"
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract:
            "Take a known_hosts file, or host profiles in JSON, into the vault; the file stays as it is.",
        discussion: """
            Of a known_hosts file every line is kept, also those that hsip does not understand, so that \
            hsip ssh host export gives the file back. A line with another key than the vault has for the \
            same host is named and not taken. With --additional it is, where the file has the trusted key \
            as well and you give the fingerprint, typed or by --expect: that both stand in one file proves \
            nothing.

              hsip ssh host import ~/.ssh/known_hosts
              ssh-keyscan -f hosts.txt | hsip ssh host import -
              hsip ssh host import --profiles hosts.json --key work
            """
    )

    /// More than this is asked about first.
    static let many = 100
    /// No known_hosts file comes near.
    private static let limit = 32 << 20

    @Argument(help: "The file, or - for stdin.", completion: .file())
    var file: String

    @Flag(help: "The file holds host profiles in JSON.")
    var profiles = false

    @Option(
        help: ArgumentHelp(
            "With --profiles: the key to log in with, where they do not say by which.",
            valueName: "key"
        )
    )
    var key: String?

    @Flag(help: "Take further keys of hosts that are known by another key of the same file.")
    var additional = false

    @Option(
        help: ArgumentHelp(
            "With --additional: the fingerprint you were given; may be repeated.",
            valueName: "SHA256:…"
        )
    )
    var expect: [String] = []

    @Flag(name: .customLong("dry-run"), help: "Only say what would happen.")
    var isTrial = false

    func run(_ context: Context) async throws {
        guard additional || expect.isEmpty else {
            throw Failure.usage("--expect goes with --additional")
        }
        guard profiles ? !additional && !isTrial : key == nil else {
            throw Failure.usage(
                profiles
                    ? "--additional and --dry-run are for known_hosts files" : "--key goes with --profiles"
            )
        }
        if profiles {
            let bytes = try read(context, limit: ProfileDocument.limit)
            let vault = try await context.openVault()
            var known: String?
            if let key { known = try await KeyNames(context, vault).resolve(key, exactly: true).name }
            try await ProfileImport(context: context, vault: vault).take(ProfileDocument(bytes, key: known))
        } else {
            let bytes = try read(context, limit: Self.limit)
            try await take(KnownHostsFile(bytes), try await context.openVault(), context)
        }
    }

    /// The file; what is wrong with it is said of its name.
    private func read(_ context: Context, limit: Int) throws -> [UInt8] {
        do throws(ConsoleError) {
            return try OwnFile.read(file, limit: limit)
        } catch {
            if case .interrupted = error { throw error }
            var failure = Failures.explain(error)
            failure.message = "\(context.shown(file: file)): \(failure.message)"
            throw failure
        }
    }

    private func take(_ file: KnownHostsFile, _ vault: any VaultService, _ context: Context) async throws {
        if let long = file.lines.firstIndex(where: { $0.text.count > HostKeyEntry.longestLine }) {
            throw Failure(
                .oversized,
                "line \(long + 1) is longer than 1 MiB; nothing was taken",
                hint: "hsip ssh host import -  takes what you leave of the file"
            )
        }
        let isForeign = file.lines.contains { $0.content == .unknown } && file.hosts.isEmpty
        guard !isForeign else {
            throw Failure(
                .malformedInput,
                "there is no line of a host in this",
                hint: "hsip ssh host import ~/.ssh/known_hosts"
            )
        }
        let consent = AdditionalKeys(expected: try TypedFingerprint.read(expect), context: context)
        try consent.check(against: file)
        let trial = try await comparing(file, context) {
            try await vault.importKnownHosts(file, isTrial: true)
        }
        let further = additional ? consent.candidates(trial.conflicts, isTrial: isTrial) : []
        warn(of: file, trial, Set(further.map(\.line)), context)
        let wanted = Set(try consent.taken(of: further).map(\.line))
        let left = trial.conflicts.filter { !wanted.contains($0.line) }
        let count = trial.added + wanted.count
        if count > Self.many, !isTrial, try !context.agrees("Import \(count) lines?") {
            throw ConsoleError.refused
        }
        let outcome = try await comparing(file, context) {
            try await take(
                file,
                without: wanted.isEmpty ? [] : Set(left.map(\.line)),
                wanted,
                vault,
                trial
            )
        }
        let report = KnownHostsReport(outcome: outcome, left: left, isTrial: isTrial)
        try context.output.facts(report.sheet)
        if let failure = report.failure(context) { throw failure }
        if outcome.added > 0, !isTrial { context.output.hint("hsip setup ssh  lets ssh ask the vault") }
        try context.output.succeed(report.json)
    }

    /// Many lines take a while where names are hashed: each is tried with each.
    private func comparing<R: Sendable>(
        _ file: KnownHostsFile,
        _ context: Context,
        _ body: () async throws -> R
    ) async throws -> R {
        guard file.lines.count > Self.many else { return try await body() }
        return try await context.output.working("comparing…", body)
    }

    /// Tells, before anything is taken, of lines that reach further than their number shows.
    private func warn(
        of file: KnownHostsFile,
        _ trial: KnownHostsImport,
        _ wanted: Set<Int>,
        _ context: Context
    ) {
        let numbers = wanted.filter { file.lines[$0 - 1].host?.isWide ?? false }.union(trial.wide)
        for number in numbers.sorted() {
            guard let host = file.lines[number - 1].host else { continue }
            context.output.warn(KnownHostsReport.warning(of: host, line: number, context))
        }
        guard trial.uncompared > 0 else { return }
        context.output.warn(
            Warning(
                "hashedNamesNotCompared",
                "keys behind hashed names cannot be compared with hashed names of the vault: a host in both is "
                    + "known by both keys (\(trial.uncompared) here)",
                hint: "hsip ssh host show HOST",
                fields: [JSONMember("count", .integer(Int64(trial.uncompared)))]
            )
        )
    }

    /// One import, or one of the file without the lines that stay out.
    private func take(
        _ file: KnownHostsFile,
        without lines: Set<Int>,
        _ wanted: Set<Int>,
        _ vault: any VaultService,
        _ trial: KnownHostsImport
    ) async throws -> KnownHostsImport {
        guard !wanted.isEmpty else {
            return isTrial ? trial : try await vault.importKnownHosts(file)
        }
        let rest = file.lines.enumerated().filter { !lines.contains($0.offset + 1) }.map(\.element.text)
        let bytes = Array(rest.joined(separator: [0x0A])) + (file.endsWithLineFeed ? [0x0A] : [])
        return try await vault.importKnownHosts(KnownHostsFile(bytes), conflicts: .add, isTrial: isTrial)
    }
}
