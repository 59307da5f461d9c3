internal import ArgumentParser
internal import Presentation
internal import SSHFormats
internal import System
internal import VaultKit

/// `hsip ssh host probe NAME|HOST[:PORT]`.
struct SSHHostProbe: Command {
    static let path = "ssh host probe"
    static let configuration = CommandConfiguration(
        commandName: "probe",
        abstract: "Ask a host for its keys and check them, without login.",
        discussion: """
            Nothing changes unless you accept a new host at the terminal. Exit codes: 0 the host shows a \
            trusted key; 7 the host is new; 15 the host shows another key; 6 the host shows a revoked key.

              hsip ssh host probe db1
              hsip ssh host probe 192.0.2.7:2222 --timeout 5
            """
    )

    @Argument(help: "The host: a profile's name, or HOST[:PORT].", completion: .hosts)
    var name: String

    @Option(help: ArgumentHelp("Seconds to wait (default: 30).", valueName: "seconds"))
    var timeout: String?

    func run(_ context: Context) async throws {
        let probe = try HostProbe(context, timeout: timeout)
        let vault = try await context.openVault()
        let target = try await HostNames(context, vault).target(name)
        let judgement = try await probe.judgement(of: target, vault)
        let words = HostKeyWords(judgement, context)
        var taken: [PublicKey] = []
        switch judgement.verdict {
        case .revoked: throw words.revoked()
        case .changed: throw words.changed()
        case .new: taken = try await ask(words, vault, context)
        case .match, .additional, .certified: break
        }
        try context.output.table(Self.table(judgement, taken, context))
        if !judgement.keys(.additional).isEmpty {
            context.output.note("the host shows untrusted keys beside a trusted key")
            context.output.hint(words.adding)
        }
        try context.output.succeed(.hostKeyJudgement(judgement, trusted: taken))
    }

    /// Asks whether to trust new keys; only a user at a terminal may do so.
    private func ask(_ words: HostKeyWords, _ vault: any VaultService, _ context: Context) async throws
        -> [PublicKey]
    {
        guard context.terminal.isAvailable else { throw words.unasked() }
        let (target, keys) = (words.judgement.target, words.judgement.keys(.new))
        let question = context.question("Trust \(target.shown)?", after: words.introduction(keys))
        guard try context.terminal.confirm(question) else { throw ConsoleError.refused }
        _ = try await vault(Operations.trustHostKeys, keys, target.name, .firstUse, false)
        return keys
    }

    private static func table(_ judgement: HostKeyJudgement, _ taken: [PublicKey], _ context: Context)
        -> Table
    {
        let columns = [
            Column("type"), Column("fingerprint", .left, .whole), Column("verdict", .left, .wrapped),
            Column("since", .left, .whole, spare: 1),
        ]
        let rows = judgement.keys.map { shown in
            let isTaken = taken.contains { $0.isSameKey(as: shown.key) }
            return [
                HostKeyCells.type(shown.key), Cell(shown.key.fingerprint.description),
                isTaken ? Cell("trusted now", value: "trusted", tone: .good) : word(shown.verdict),
                HostKeyCells.day(shown.lines.first?.firstSeen, context.now),
            ]
        }
        return Table(columns, rows: rows)
    }

    private static func word(_ verdict: HostKeyJudgement.Verdict) -> Cell {
        switch verdict {
        case .match: Cell("known", value: verdict.rawValue, tone: .good)
        case .certified: Cell("certified", value: verdict.rawValue, tone: .good)
        case .new: Cell("new", value: verdict.rawValue, tone: .soon)
        case .additional: Cell("not trusted", value: verdict.rawValue, tone: .soon)
        case .changed: Cell("CHANGED", value: verdict.rawValue, tone: .danger)
        case .revoked: Cell("REVOKED", value: verdict.rawValue, tone: .danger)
        }
    }
}
