package import Presentation
internal import Text

extension Attention {
    /// What is the case, in a few words.
    package func text(now: Int64) -> String {
        switch kind {
        case .clockSuspect: "this machine's clock is behind the last time hsip saw"
        case .suspicious: "SUSPICIOUS: someone else answered the same offer"
        case .notComparedSinceRestore: "not verified again since a backup was restored"
        case .rulesOfBackup:
            "a backup was restored; rules and conditions of SSH keys may be old ones"
        case .sessionRestored: "a backup was restored; renew before sending"
        case .sessionExhausted where codeKind == "answer":
            "this key has reached its message limit, and your ANSWER has not arrived: send the ANSWER again"
        case .sessionExhausted: "this key has reached its message limit"
        case .sessionExpired: "ended \(ago(now))"
        case .codeToSend: "waits for your \(codeKind?.uppercased() ?? "code")"
        case .sessionEnding: "ends \(ago(now)), or has few messages left"
        case .secretEnding: dueAt.map { $0 <= now } ?? false ? "ended \(ago(now))" : "ends \(ago(now))"
        case .anchorMissing:
            "this machine had no record of the vault's last state: the vault counts as restored"
        case .rekeyAdvised: "a key slot was removed, and the person who used it may have the vault key"
        case .passphraseUnused: "the passphrase was not used for 90 days"
        case .recoveryUntested: "the full recovery code was never tested"
        case .notPostQuantum: "a quantum computer could read these messages one day"
        case .notVerified: "not verified"
        }
    }

    /// How urgent it is.
    package var tone: Tone {
        switch kind {
        case .clockSuspect, .suspicious: .danger
        case .recoveryUntested, .notPostQuantum, .notVerified: .plain
        default: .soon
        }
    }

    /// One of the list in `status` (Schemas/cli/status.schema.json).
    package var json: JSONValue {
        [
            "kind": .text(kind.rawValue), "contact": .optional(contact), "secret": .optional(secret),
            "host": .optional(host),
            "codeKind": .optional(codeKind), "dueAt": .time(dueAt), "hint": .optional(hint),
        ]
    }

    private func ago(_ now: Int64) -> String {
        dueAt.map { Times.relative($0, now: now) } ?? "soon"
    }
}
