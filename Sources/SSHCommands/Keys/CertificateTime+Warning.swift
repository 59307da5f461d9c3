internal import CommandKit
internal import Console
internal import SafeText
internal import VaultKit

extension CertificateTime {
    /// Warns of keys in use whose certificate has ended, or will soon.
    static func warn(_ keys: [KeySummary], _ context: Context) {
        for (key, end) in due(keys, now: context.now) {
            let isOver = end <= context.now
            context.output.warn(
                Warning(
                    code(of: end, now: context.now),
                    "a certificate of \(key.name) \(isOver ? "ended" : "ends") "
                        + Times.relative(end, now: context.now),
                    hint: isOver
                        ? "hsip ssh key set \(ShellWord.quoted(key.name)) --drop-expired"
                        : "hsip ssh key import NEW-cert.pub",
                    fields: [JSONMember("name", .text(key.name)), JSONMember("endsAt", .time(end))]
                )
            )
        }
    }
}
