internal import Presentation
internal import SSHFormats
internal import System
internal import VaultKit

extension SSHHostImport {
    func take(_ file: KnownHostsFile, _ vault: any VaultService, _ context: Context) async throws {
        if let long = file.lines.firstIndex(where: { $0.text.count > HostKeyEntry.longestLine }) {
            throw Failure(
                .oversized,
                "line \(long + 1) is longer than 1 MiB; nothing was imported",
                hint: "hsip ssh host import -  imports the lines you pipe"
            )
        }
        let isForeign = file.lines.contains { $0.content == .unknown } && file.hosts.isEmpty
        guard !isForeign else {
            throw Failure(
                .malformedInput,
                "the file has no line for a host",
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

    /// Compares the lines, and shows that it works if there are many: each hashed name is compared with each line.
    private func comparing<R: Sendable>(
        _ file: KnownHostsFile,
        _ context: Context,
        _ body: () async throws -> R
    ) async throws -> R {
        guard file.lines.count > Self.many else { return try await body() }
        return try await context.output.working("comparing…", body)
    }

    /// Warns, before anything is imported, of lines that cover more hosts than they name.
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
                "keys of hashed names cannot be compared with hashed names in the vault: a host in both is "
                    + "known by both keys (\(trial.uncompared) here)",
                hint: "hsip ssh host show HOST",
                fields: ["count": .integer(trial.uncompared)]
            )
        )
    }

    /// Imports the file, without the lines that are left out.
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
