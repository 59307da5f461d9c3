internal import HSIP
internal import Presentation
internal import VaultKit

/// The `data` of a command that was done, and its warnings.
struct CallAnswer: Sendable {
    let data: JSONValue
    private(set) var warnings: [JSONValue] = []

    init(_ data: JSONValue) { self.data = data }

    /// Adds the warnings and notes of an act.
    mutating func add(_ notices: [Notice], about contact: ContactSummary?) {
        for notice in notices {
            let members = notice.members(about: contact?.alias, contact?.contact.peerID)
            warnings.append(Envelope.warning(notice.code, members))
        }
    }

    /// Says that a secret is past its time.
    mutating func addExpired(_ secret: CredentialSummary, now: Int64) {
        guard let end = secret.expires.map({ Int64(clamping: $0) }), end <= now else { return }
        warnings.append(
            Envelope.warning(
                "secretExpired",
                [JSONMember("name", .text(secret.name)), JSONMember("expiredAt", .time(end))]
            )
        )
    }

    /// Says which certificates have ended, or will soon.
    mutating func addCertificates(_ keys: [KeySummary], now: Int64) {
        for (key, end) in CertificateTime.due(keys, now: now) {
            warnings.append(
                Envelope.warning(
                    CertificateTime.code(of: end, now: now),
                    [JSONMember("name", .text(key.name)), JSONMember("endsAt", .time(end))]
                )
            )
        }
    }

    /// Adds what `hsip accept` says of trust: who is new is not verified, who is suspicious is said to be so.
    mutating func addTrust(_ taken: TakenCode) {
        guard let contact = taken.reply.contact?.contact else { return }
        let whose = [JSONMember("contact", .text(contact.alias))]
        if contact.trust == .suspicious, !taken.reply.notices.contains(.suspicious) {
            warnings.append(Envelope.warning("suspicious", whose))
        }
        guard taken.outcome == .answered || taken.outcome == .paired, contact.trust != .verified,
            !taken.reply.notices.contains(.repairedNotReverified)
        else { return }
        warnings.append(Envelope.warning("notVerified", whose))
    }
}
