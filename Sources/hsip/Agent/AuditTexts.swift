internal import Commands
internal import Presentation
internal import VaultKit

/// What is wrong with an audit log, in words.
enum AuditTexts {
    /// Exit 11, and what is wrong; nil for a log that is whole.
    static func failure(_ report: AuditReport) -> Failure? {
        guard !report.isWhole else { return nil }
        let words = report.findings.prefix(3).map(Self.words).joined(separator: "; ")
        return Failure(
            .auditDamaged,
            "the audit log is not whole: \(words)",
            hint: "hsip audit --kind log",
            details: .auditReport(report)
        )
    }

    /// Checks the log; why it is not whole, or cannot be used.
    static func problem(of vault: any VaultService) async throws -> Failure? {
        do {
            return failure(try await vault(Operations.checkAudit))
        } catch VaultError.audit(let error) {
            return Failure(error)
        }
    }

    /// What is wrong, for a person.
    private static func words(_ finding: AuditFinding) -> String {
        switch finding {
        case .unreadableFile(let number): "file \(number) cannot be read"
        case .damaged(let file, let after): "file \(file) was changed after entry \(after) or before it"
        case .gap(let after, let found): "after entry \(after) comes \(found)"
        case .missingStart(let first): "the log begins with entry \(first)"
        case .missingEnd(let found, let expected):
            "the log ends with entry \(found), and the vault remembers entry \(expected)"
        case .otherHistory(let sequence): "entry \(sequence) differs from the entry in the vault's memory"
        case .noted(let sequence): "entry \(sequence) reports damage"
        }
    }
}

extension Context {
    /// Says that the audit log is damaged where a command is about something else; what it is about is done all the same.
    func warnOfAudit(_ vault: any VaultService) async throws {
        guard let failure = try await AuditTexts.problem(of: vault) else { return }
        output.warn(
            Warning(
                "auditNotWhole",
                failure.message,
                hint: "hsip audit verify",
                fields: ["reason": .text(failure.name)]
            )
        )
    }
}

extension JSONValue {
    /// What a check of the audit log found.
    static func auditReport(_ report: AuditReport) -> JSONValue {
        [
            "count": .integer(Int64(clamping: report.count)),
            "first": .optional(report.first.map { Int64(clamping: $0) }),
            "last": .optional(report.last.map { Int64(clamping: $0) }),
            "files": .integer(Int64(report.files)),
            "marked": .integer(Int64(clamping: report.marked)),
            "findings": .list(report.findings.map { .text($0.name) }),
        ]
    }
}
