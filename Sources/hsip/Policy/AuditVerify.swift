internal import ArgumentParser
internal import Console
internal import VaultKit

/// `hsip audit verify`.
struct AuditVerify: Command {
    static let path = "audit verify"
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check that no entry of the audit log is missing, changed or out of order.",
        discussion: """
            What the vault itself remembers of the log is compared, too: how far it reached when the vault was \
            last opened or locked by the agent. Entries after that can be cut off by whoever has the files, unnoticed.

              hsip audit verify
            """
    )

    func run(_ context: Context) async throws {
        let report = try await context.openVault().checkAudit()
        guard report.isWhole else {
            let words = report.findings.prefix(3).map(Self.words).joined(separator: "; ")
            throw Failure(
                status: 11,
                code: "auditDamaged",
                message: "the audit log is not whole: \(words)",
                hint: "hsip audit --kind log",
                details: .auditReport(report)
            )
        }
        let range = report.last.map { ", up to number \($0)" } ?? ""
        try context.output.line("whole: \(report.count) entries in \(report.files) files\(range)")
        try context.output.succeed(["report": .auditReport(report)])
    }

    /// What is wrong, for a person.
    private static func words(_ finding: AuditFinding) -> String {
        switch finding {
        case .unreadableFile(let number): "file \(number) cannot be read"
        case .damaged(let file, let after): "file \(file) was changed behind entry \(after) or before it"
        case .gap(let after, let found): "after entry \(after) comes \(found)"
        case .missingStart(let first): "it begins with entry \(first)"
        case .missingEnd(let found, let expected): "it ends with entry \(found), the vault knows \(expected)"
        case .otherHistory(let sequence): "entry \(sequence) is another than the vault knows"
        case .noted(let sequence): "entry \(sequence) tells of damage"
        }
    }
}
