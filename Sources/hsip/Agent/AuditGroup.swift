internal import ArgumentParser
internal import Commands
internal import Presentation
internal import Text
internal import VaultKit

/// `hsip audit`: the log of events in the vault.
struct AuditGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Show what programs did with the vault, and when.",
        subcommands: [AuditList.self, AuditVerify.self],
        defaultSubcommand: AuditList.self
    )
}

/// `hsip audit [list]`.
struct AuditList: Command {
    static let path = "audit list"
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show the audit log, newest entry last.",
        discussion: """
            The agent logs each unlock, lock, signature, use and change before it happens. Without an \
            agent, hsip logs the same.

              hsip audit
              hsip audit --since 1d --kind sign
              hsip audit --refused --json
            """
    )

    @Option(help: ArgumentHelp("Show only entries newer than this, such as 1d.", valueName: "span"))
    var since: String?

    @Option(help: ArgumentHelp("Show only this kind; may be repeated.", valueName: "kind"))
    var kind: [Kind] = []

    @Option(help: ArgumentHelp("Show only this lease, and what it allowed.", valueName: "number"))
    var lease: UInt64?

    @Flag(help: "Show only what was refused.")
    var refused = false

    @Option(help: ArgumentHelp("Show only this many entries, the last ones.", valueName: "number"))
    var last = 50

    /// The number of entries that are read for `last` lines on a terminal, each of which may stand for many.
    private static let readForLines = 2_000

    /// The kinds of entries, as people write them.
    struct Kind: ExpressibleByArgument {
        let kind: AuditKind

        init?(argument: String) {
            guard let kind = AuditKind.allCases.first(where: { $0.word == argument }) else { return nil }
            self.kind = kind
        }

        static var allValueStrings: [String] { AuditKind.allCases.map(\.word) }
    }

    func run(_ context: Context) async throws {
        let isForPeople = context.console.outputIsTerminal && !context.isJSON
        let count = try checked(last)
        var query = AuditQuery(
            kinds: kind.map(\.kind),
            onlyRefused: refused,
            lease: lease,
            last: isForPeople ? max(count, Self.readForLines) : count
        )
        if let since {
            guard let seconds = Durations.parse(since), seconds > 0 else {
                throw Failure.usage("--since needs a duration, such as 1d", hint: "hsip audit --since 1d")
            }
            query.since = UInt64(max(0, context.now - seconds)) * 1_000
        }
        let vault = try await context.openVault()
        let records = try await vault(Operations.auditEntries, query)
        if isForPeople {
            try context.list(
                AuditLines(records).table(last: count, context),
                empty: "the audit log has no matching entries"
            )
        } else {
            var table = Table(
                ["time", "number", "kind", "verdict", "what", "subject", "to", "reason", "program"].map {
                    Column($0)
                }
            )
            for record in records {
                table.add(
                    Self.cells(record, context) + [Cell(own: record.entry.program, context.output.display)]
                )
            }
            try context.output.table(table)
        }
        try await context.warnOfAudit(vault)
        try context.output.succeed(["entries": .list(records.map { .auditEntry($0) })])
    }

    private func checked(_ number: Int) throws(Failure) -> Int {
        guard (1...AuditQuery.maximum).contains(number) else {
            throw Failure.usage(
                "--last needs a number from 1 to \(AuditQuery.maximum)",
                hint: "hsip audit --last 100"
            )
        }
        return number
    }

    /// Returns the columns of an entry without the program.
    static func cells(_ record: AuditRecord, _ context: Context) -> [Cell] {
        let (entry, display) = (record.entry, context.output.display)
        return [
            Cell(exactly: entry.time / 1_000),
            Cell("\(record.sequence)"),
            Cell(entry.kind.word),
            Cell(entry.verdict.word, tone: entry.verdict == .allowed ? .plain : .soon),
            Cell(peer: entry.act, display),
            Cell(own: entry.subject, display),
            Cell(peer: entry.target, display),
            Cell(peer: entry.reason, display),
        ]
    }
}

/// `hsip audit verify`.
struct AuditVerify: Command {
    static let path = "audit verify"
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check the audit log for missing or changed entries.",
        discussion: """
            hsip also compares how far the log reached when the vault was last opened or locked by the \
            agent. Anyone who has the files can cut off later entries unnoticed.

              hsip audit verify
            """
    )

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let report = try await vault(Operations.checkAudit)
        if let failure = AuditTexts.failure(report) { throw failure }
        let range = report.last.map { ", up to number \($0)" } ?? ""
        try context.output.line(
            "whole: \(report.count) \(report.count == 1 ? "entry" : "entries") in \(Plural.of(report.files, "file"))\(range)"
        )
        try context.output.succeed(["report": .auditReport(report)])
    }
}

extension JSONValue {
    /// Returns an entry of the audit log (Schemas/cli/audit.schema.json).
    static func auditEntry(_ record: AuditRecord) -> JSONValue {
        let entry = record.entry
        return [
            "sequence": .integer(Int64(clamping: record.sequence)),
            "at": .time(Int64(clamping: entry.time / 1_000)),
            "kind": .text(entry.kind.word),
            "verdict": .text(entry.verdict.word),
            "reason": .text(entry.reason),
            "act": .text(entry.act),
            "subject": .text(entry.subject),
            "target": .text(entry.target),
            "program": .text(entry.program),
            "process": .optional(entry.process == 0 ? nil : Int64(entry.process)),
            "user": .integer(Int64(entry.user)),
        ]
    }
}
