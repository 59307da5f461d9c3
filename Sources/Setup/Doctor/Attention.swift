internal import HSIP
internal import Presentation
package import SSHFormats
package import VaultKit

/// One thing that needs the user: `status` lists them, `doctor` counts them.
package struct Attention {
    /// What; the first ones are the most urgent.
    package enum Kind: String, CaseIterable {
        case clockSuspect, suspicious, notComparedSinceRestore, rulesOfBackup, sessionRestored
        case sessionExhausted, sessionExpired, codeToSend
        case sessionEnding, secretEnding, anchorMissing, rekeyAdvised, passphraseUnused, recoveryUntested
        case notPostQuantum, notVerified
    }

    package let kind: Kind
    package var contact: String?
    package var secret: String?
    package var host: String?
    package var codeKind: String?
    package var dueAt: Int64?
    package var hint: String?

    /// What the vault as a whole needs.
    package static func ofVault(
        isClockSuspect: Bool,
        isAnchorMissing: Bool,
        isRecoveryTested: Bool,
        isRekeyAdvised: Bool,
        isPassphraseUnused: Bool
    ) -> [Attention] {
        var found: [Attention] = []
        if isClockSuspect { found.append(Attention(kind: .clockSuspect, hint: "hsip doctor --fix")) }
        if isAnchorMissing { found.append(Attention(kind: .anchorMissing, hint: "hsip doctor")) }
        if isRekeyAdvised { found.append(Attention(kind: .rekeyAdvised, hint: "hsip vault rekey")) }
        if isPassphraseUnused {
            found.append(Attention(kind: .passphraseUnused, hint: "hsip vault slot test passphrase"))
        }
        if !isRecoveryTested {
            found.append(Attention(kind: .recoveryUntested, hint: "hsip vault slot test recovery"))
        }
        return found
    }

    /// What the contacts need, each at most one thing for its session and one for its trust.
    package static func of(_ contacts: [ContactSummary]) -> [Attention] {
        contacts.flatMap { contact in
            [ofTrust(contact), contact.sending.flatMap { ofSession($0) }, ofSuite(contact)].compactMap(\.self)
        }
    }

    /// Known hosts that were not confirmed since a restore.
    package static func of(_ lines: [HostKeySummary]) -> [Attention] {
        lines.filter { $0.isCurrent && $0.isUncompared }.map { line in
            let name = String(decoding: line.host.names.names.first ?? [], as: UTF8.self)
            var item = Attention(kind: .notComparedSinceRestore)
            item.host = name
            item.hint = "hsip ssh host trust \(ShellWord.quoted(name)) --expect \(line.key.fingerprint)"
            return item
        }
    }

    /// What a restore has brought back beside contacts and hosts that were not compared since: rules, and what keys may
    /// be used for.
    ///
    /// It is said as long as one of those is listed: nothing in a rule tells whether it is the newest.
    package static func ofBackup(_ found: [Attention]) -> [Attention] {
        guard found.contains(where: { $0.kind == .notComparedSinceRestore }) else { return [] }
        return [Attention(kind: .rulesOfBackup, hint: "hsip agent rule list")]
    }

    /// What it is about; nil for the vault.
    package var subject: String? { contact ?? secret ?? host }

    /// Seconds before its end in which a secret is mentioned: 14 days.
    package static let secretNotice: UInt64 = 14 * 86_400

    /// Secrets that end soon, or have ended.
    package static func of(_ secrets: [CredentialSummary]) -> [Attention] {
        secrets.map { secret in
            var item = Attention(kind: .secretEnding)
            item.secret = secret.name
            item.dueAt = secret.expires.map { Int64(clamping: $0) }
            item.hint = "hsip secret set \(ShellWord.quoted(secret.name))"
            return item
        }
    }

    /// The most urgent first, then what is due first.
    package static func sorted(_ list: [Attention]) -> [Attention] {
        list.sorted { one, other in
            (rank(one.kind), one.dueAt ?? .max, one.subject ?? "")
                < (rank(other.kind), other.dueAt ?? .max, other.subject ?? "")
        }
    }

    private static func rank(_ kind: Kind) -> Int { Kind.allCases.firstIndex(of: kind) ?? 0 }

    private static func ofTrust(_ contact: ContactSummary) -> Attention? {
        let kind: Kind? =
            switch contact.contact.trust {
            case .suspicious: .suspicious
            case .revoked: nil
            case .unverified, .scanned, .verified:
                contact.contact.isUncompared
                    ? .notComparedSinceRestore : contact.contact.isVerified ? nil : .notVerified
            }
        return kind.map { kind in
            Attention(
                kind: kind,
                contact: contact.alias,
                hint: "hsip verify \(ShellWord.quoted(contact.alias))"
            )
        }
    }

    /// Keys that a renewal would replace by stronger ones.
    private static func ofSuite(_ contact: ContactSummary) -> Attention? {
        guard let session = contact.sending, session.suite == .one, contact.contact.suiteRule != .onlyOne,
            session.state == .active || session.state == .grace
        else { return nil }
        let hint = "hsip session rotate \(ShellWord.quoted(contact.alias))"
        return Attention(kind: .notPostQuantum, contact: contact.alias, codeKind: "rotate", hint: hint)
    }

    private static func ofSession(_ session: SessionSummary) -> Attention? {
        let (kind, code): (Kind, String?)
        switch session.state {
        case .restored: (kind, code) = (.sessionRestored, "offer")
        case .exhausted: (kind, code) = (.sessionExhausted, session.isConfirmed ? "rotate" : "answer")
        case .expired: (kind, code) = (.sessionExpired, "rotate")
        case .lapsed: (kind, code) = (.sessionExpired, "offer")
        case .unconfirmed: (kind, code) = (.codeToSend, "answer")
        case .rotating: (kind, code) = (.codeToSend, session.renewal == .started ? "rotate" : "accept")
        case .rekeySoon: (kind, code) = (.sessionEnding, "rotate")
        case .active, .grace, .suspicious, .revoked: return nil
        }
        // A ROTATE of a copy may be for a key that the contact has left long ago; an OFFER always fits.
        let option = session.state == .restored ? " --offer" : ""
        return Attention(
            kind: kind,
            contact: session.alias,
            codeKind: code,
            dueAt: Int64(clamping: session.endsAt),
            hint: "hsip pair \(ShellWord.quoted(session.alias))\(option)"
        )
    }
}
