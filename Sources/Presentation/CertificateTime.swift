package import VaultKit

/// How long certificates are good for, and when to say so.
package enum CertificateTime {
    /// From so many seconds before its end on, a certificate is spoken of.
    package static let ahead: Int64 = 7 * 86_400

    /// A time that a calendar has; nil for the end of all days.
    package static func calendar(_ time: UInt64) -> Int64? {
        time < 253_402_300_800 ? Int64(time) : nil
    }

    /// Keys in use whose certificate has ended, or will soon, and when.
    package static func due(_ keys: [KeySummary], now: Int64) -> [(key: KeySummary, end: Int64)] {
        keys.filter(\.isInUse).compactMap { key in
            guard let end = key.certificateEndAt, end <= now + ahead else { return nil }
            return (key, end)
        }
    }

    /// The name of the warning about an end, for scripts.
    package static func code(of end: Int64, now: Int64) -> String {
        end <= now ? "certificateExpired" : "certificateExpiring"
    }
}

extension KeySummary {
    /// When the first certificate ends, if a calendar has that day.
    package var certificateEndAt: Int64? { certificateEnd.flatMap { CertificateTime.calendar($0) } }
}
