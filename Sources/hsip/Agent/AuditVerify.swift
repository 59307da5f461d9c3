internal import ArgumentParser
internal import Console
internal import SafeText
internal import VaultKit

/// `hsip audit verify`.
struct AuditVerify: Command {
    static let path = "audit verify"
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check that no entry of the audit log is missing, changed or out of order.",
        discussion: """
            What the vault itself remembers of the log is compared, too: how far it reached when the vault \
            was last opened or locked by the agent. Anyone who has the files can cut off later entries \
            unnoticed.

              hsip audit verify
            """
    )

    func run(_ context: Context) async throws {
        let report = try await context.openVault().checkAudit()
        if let failure = AuditTexts.failure(report) { throw failure }
        let range = report.last.map { ", up to number \($0)" } ?? ""
        try context.output.line(
            "whole: \(report.count) \(report.count == 1 ? "entry" : "entries") in \(Plural.of(report.files, "file"))\(range)"
        )
        try context.output.succeed(["report": .auditReport(report)])
    }
}
