internal import Console
internal import SafeText
internal import VaultKit

/// How long certificates are good for, and when to say so.
enum CertificateTime {
    /// From so many seconds before its end on, a certificate is spoken of.
    private static let ahead: Int64 = 7 * 86_400

    /// A time that a calendar has; nil for the end of all days.
    static func calendar(_ time: UInt64) -> Int64? {
        time < 253_402_300_800 ? Int64(time) : nil
    }

    /// Warns of keys in use whose certificate has ended, or will soon.
    static func warn(_ keys: [KeySummary], _ context: Context) {
        for key in keys where key.isInUse {
            guard let end = key.certificateEnd.flatMap({ calendar($0) }), end <= context.now + ahead else {
                continue
            }
            let isOver = end <= context.now
            context.output.warn(
                Warning(
                    isOver ? "certificateExpired" : "certificateExpiring",
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
