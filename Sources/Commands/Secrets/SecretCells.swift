internal import Presentation
internal import Secrets
internal import Text
internal import VaultKit

/// The texts for secrets in tables and sheets.
enum SecretCells {
    /// `in use`, `ends soon`, `expired`, `removed`.
    static func state(_ secret: CredentialSummary, now: Int64) -> Cell {
        let state = secret.state(at: now)
        return switch state {
        case .removed: Cell("removed", value: state.rawValue, tone: .past)
        case .expired: Cell("expired", value: state.rawValue, tone: .danger)
        case .expiring: Cell("ends soon", value: state.rawValue, tone: .soon)
        case .active: Cell("in use", value: state.rawValue)
        }
    }

    /// Warns with every share shown: attackers get shares by asking in the name of their owner.
    static func warnShare(_ secret: CredentialDetails, _ context: Context) {
        guard secret.summary.kind == .note, secret.summary.tags.contains("share"),
            secret.origin?.hasPrefix("from ") == true
        else { return }
        context.output.note(
            "this secret is a share: return it only to an owner you see or hear; a message is not enough"
        )
    }

    /// Warns for 30 days that a name means another secret than before.
    static func warnRenamed(_ found: CredentialValue, _ context: Context) {
        guard let renamed = found.renamedAt.map({ Int64(clamping: $0) }), context.now < renamed + 30 * 86_400
        else { return }
        let name = found.reference.name
        context.output.warn(
            Warning(
                "nameMeansOther",
                "\(context.output.display.cell(name)) was another secret on this machine before the last sync",
                hint: "hsip sync settle \(ShellWord.quoted(name)) --both",
                fields: ["name": .text(name), "renamedAt": .time(UInt64(clamping: renamed))]
            )
        )
    }

    /// Warns of an expired secret.
    static func warnExpired(_ name: String, _ end: UInt64?, _ context: Context) {
        guard let end = end.map({ Int64($0) }), end <= context.now else { return }
        context.output.warn(
            Warning(
                "secretExpired",
                "\(context.output.display.cell(name)) ended \(Times.relative(end, now: context.now))",
                hint: "hsip secret set \(ShellWord.quoted(name))",
                fields: ["name": .text(name), "expiredAt": .time(end)]
            )
        )
    }
}

extension Context {
    /// Says that a value is stored: as a new secret, or as a new version of one.
    func tellStored(_ outcome: CredentialOutcome) {
        let name = output.display.cell(outcome.summary.name)
        let version = outcome.summary.version
        output.say(
            outcome.isNew
                ? "\(name) is stored."
                : "\(name) is version \(version) now; the one before: hsip secret get "
                    + "\(ShellWord.quoted(outcome.summary.name)) --version \(version - 1)"
        )
    }
}
