internal import Audit
internal import Console
internal import SafeText
internal import VaultKit
internal import VaultPolicy

/// The objects of Schemas/cli/audit.schema.json and rule.schema.json.
extension JSONValue {
    /// An entry of the audit log.
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

    /// A rule of the policy.
    static func rule(_ rule: Rule) -> JSONValue {
        [
            "name": .text(rule.name),
            "effect": .text(rule.effect.rawValue),
            "kind": .optional(rule.kind?.rawValue),
            "subject": .optional(rule.subject),
            "program": .optional(rule.program),
            "inside": .optional(rule.inside),
            "owner": .optional(rule.owner),
            "schema": .optional(rule.schema),
            "host": .optional(rule.host),
            "namespace": .optional(rule.namespace),
            "expiresAt": .time(rule.expires.map { Int64(clamping: $0) }),
        ]
    }
}
