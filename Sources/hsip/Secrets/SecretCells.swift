internal import Console
internal import Credentials
internal import SafeText
internal import VaultKit

/// The words for secrets in tables and sheets.
enum SecretCells {
    /// Seconds before its end in which a secret ends soon: 30 days.
    static let soon: Int64 = 30 * 86_400

    /// `in use`, `ends soon`, `expired`, `removed`.
    static func state(_ secret: CredentialSummary, now: Int64) -> Cell {
        if secret.removedAt != nil { return Cell("removed", tone: .past) }
        guard let end = secret.expires.map({ Int64($0) }) else { return Cell("in use", value: "active") }
        if end <= now { return Cell("expired", tone: .danger) }
        return end <= now + soon
            ? Cell("ends soon", value: "expiring", tone: .soon) : Cell("in use", value: "active")
    }

    /// When it ends; empty for never.
    static func end(_ secret: CredentialSummary, now: Int64) -> Cell {
        guard let end = secret.expires.map({ Int64($0) }) else { return Cell("") }
        return Cell(Times.relative(end, now: now), value: Times.rfc3339(end))
    }

    /// A time as people say it.
    static func time(_ second: UInt64, now: Int64) -> Cell {
        Cell(Times.relative(Int64(second), now: now), value: Times.rfc3339(Int64(second)))
    }

    /// A time to the second.
    static func exact(_ second: UInt64) -> Cell {
        Cell(Times.exact(Int64(second)), value: Times.rfc3339(Int64(second)))
    }

    /// The warning about a secret past its time.
    static func warnExpired(_ name: String, _ end: UInt64?, _ context: Context) {
        guard let end = end.map({ Int64($0) }), end <= context.now else { return }
        context.output.warn(
            Warning(
                "secretExpired",
                "\(context.output.display.cell(name)) ended \(Times.relative(end, now: context.now))",
                hint: "hsip secret set \(ShellWord.quoted(name))",
                fields: [JSONMember("name", .text(name)), JSONMember("expiredAt", .time(end))]
            )
        )
    }
}
