internal import HSIP
internal import Presentation
package import SSHFormats
package import VaultKit

/// Contacts, sessions and codes that need their owner; `status` names the same things.
package enum SessionChecks {
    package static func findings(
        _ contacts: [ContactSummary],
        _ hosts: [HostKeySummary],
        openOffers: Int,
        now: Int64
    ) -> [Finding] {
        let all = Attention.sorted(Attention.of(contacts) + Attention.of(hosts))
        let notCompared = all.filter { $0.kind == .notComparedSinceRestore }
        return [
            restored(all.filter { $0.kind == .sessionRestored }),
            uncompared(notCompared),
            sessions(all.filter { isEnding($0.kind) }, now: now),
            suites(all.filter { $0.kind == .notPostQuantum }),
            codes(all.filter { $0.kind == .codeToSend }, openOffers),
            trust(all.filter { $0.kind == .suspicious }, all.filter { $0.kind == .notVerified }, notCompared),
        ].compactMap(\.self)
    }

    private static func isEnding(_ kind: Attention.Kind) -> Bool {
        [.sessionEnding, .sessionExpired, .sessionExhausted].contains(kind)
    }

    private static func restored(_ found: [Attention]) -> Finding {
        guard let first = found.first else { return .fine(.restored, "no session is older than a restore") }
        return Finding(
            check: .restored,
            state: .problem,
            message: "\(count(found, "session")) from a restored backup",
            reason: "hsip sends nothing with a key that may have been used since",
            hint: first.hint,
            code: .restored
        )
    }

    private static func uncompared(_ found: [Attention]) -> Finding {
        guard let first = found.first else {
            return .fine(.verification, "no contacts or hosts need re-verification")
        }
        let hosts = found.filter { $0.host != nil }
        let contacts = found.filter { $0.contact != nil }
        let people = [(contacts, "contact"), (hosts, "host")].filter { !$0.0.isEmpty }.map { count($0, $1) }
        return Finding(
            check: .verification,
            state: .warning,
            message: "\(people.joined(separator: " and ")) not verified again since a backup was restored",
            reason: "hsip may again trust a key that was revoked or replaced",
            hint: first.hint
        )
    }

    private static func sessions(_ found: [Attention], now: Int64) -> Finding {
        guard let first = found.first else { return .fine(.sessions, "no session expires soon") }
        return Finding(
            check: .sessions,
            state: .warning,
            message: "\(count(found, "session")) expired or expiring soon",
            reason: "the first: \(first.text(now: now))",
            hint: first.hint
        )
    }

    private static func suites(_ found: [Attention]) -> Finding? {
        guard let first = found.first else { return nil }
        return Finding(
            check: .sessions,
            state: .notice,
            message: "\(count(found, "session")) without post-quantum keys: "
                + found.compactMap(\.contact).joined(separator: ", "),
            reason: "a quantum computer could read these messages one day",
            hint: first.hint
        )
    }

    private static func codes(_ found: [Attention], _ openOffers: Int) -> Finding {
        if let first = found.first {
            return Finding(
                check: .pendingCodes,
                state: .notice,
                message: "\(count(found, "code")) to send",
                reason: "the contact needs the code to continue",
                hint: first.hint
            )
        }
        guard openOffers > 0 else { return .fine(.pendingCodes, "no code needs to be sent") }
        return Finding(
            check: .pendingCodes,
            state: .notice,
            message: "open offers: \(openOffers)",
            reason: "anyone who has the code of an offer can answer it",
            hint: "hsip pair --close-all"
        )
    }

    /// Nil where all that is to be said was said of those who are not compared.
    private static func trust(
        _ suspicious: [Attention],
        _ unverified: [Attention],
        _ notCompared: [Attention]
    ) -> Finding? {
        if let first = suspicious.first {
            var finding = Finding(
                check: .verification,
                state: .problem,
                message: "\(count(suspicious, "contact")) SUSPICIOUS",
                reason: "someone else answered the same offer",
                hint: first.hint
            )
            // To every other command it is a warning, which has no exit code of its own.
            (finding.code, finding.exit) = (Notice.suspicious.code, ExitCode.integrity.rawValue)
            return finding
        }
        guard let first = unverified.first else {
            return notCompared.isEmpty ? .fine(.verification, "every contact is verified") : nil
        }
        return Finding(
            check: .verification,
            state: .notice,
            message: "\(count(unverified, "contact")) not verified",
            reason: "someone could intercept your messages",
            hint: first.hint
        )
    }

    private static func count(_ found: [Attention], _ noun: String) -> String {
        "\(found.count) \(noun)\(found.count == 1 ? "" : "s")"
    }
}
