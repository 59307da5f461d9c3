internal import Presentation
internal import SSHFormats
internal import VaultKit

/// The keys that a host shows, or that a file names for it, and the vault's verdict on each.
struct HostKeyJudgement {
    /// The words of Schemas/cli/ssh-host.schema.json.
    enum Verdict: String {
        case new, match, changed, additional, revoked, certified
    }

    /// One key.
    struct Shown {
        let key: PublicKey
        let verdict: Verdict
        /// The lines behind the verdict.
        let lines: [HostKeySummary]
    }

    let target: HostTarget
    /// Whether the host itself showed them.
    let isProbed: Bool
    let keys: [Shown]
    /// All lines that are known for the host, history included.
    let known: [HostKeySummary]

    /// Judges keys.
    ///
    /// Another key for a known host is `changed`, even if it has another type. If the host also shows a trusted key,
    /// the other key is `additional`, which still does not make it trusted.
    init(_ keys: [PublicKey], of target: HostTarget, isProbed: Bool, _ vault: any VaultService) async throws {
        var checks: [(key: PublicKey, check: HostKeyCheck)] = []
        for key in keys {
            checks.append((key, try await vault(Operations.checkHostKey, key, target.name, false)))
        }
        let isRecognised = isProbed && checks.contains { $0.check.verdict.isTrusted }
        self.target = target
        self.isProbed = isProbed
        self.keys = checks.map { key, check in
            let verdict: Verdict =
                switch check.verdict {
                case .new: .new
                case .match: .match
                case .changed: isRecognised ? .additional : .changed
                case .revoked: .revoked
                case .certified: .certified
                }
            return Shown(key: key, verdict: verdict, lines: check.lines)
        }
        known = try await vault(Operations.hostKeys, target.name)
    }

    /// The verdict on the host as a whole: one bad key decides, otherwise one trusted key does.
    var verdict: Verdict {
        let verdicts = keys.map(\.verdict)
        return [.revoked, .changed, .certified, .match].first { verdicts.contains($0) } ?? .new
    }

    /// The keys with this verdict.
    func keys(_ verdict: Verdict) -> [PublicKey] {
        keys.filter { $0.verdict == verdict }.map(\.key)
    }

    /// The lines in which a key is trusted now.
    var trusted: [HostKeySummary] {
        known.withoutOverruledOfOneHost.filter { $0.isCurrent && $0.host.marker == nil }
    }

    /// The marks of revoked keys, which must never be accepted.
    var marks: [HostKeySummary] { known.filter { $0.isCurrent && $0.host.marker == .revoked } }

    /// Whether the host has keys that can be replaced; revoked keys can be replaced, too.
    var isReplaceable: Bool { known.contains { $0.isCurrent && $0.host.marker == nil } }

    /// Whether the host had other keys before.
    var hadOtherKeys: Bool {
        history.contains { line in
            line.host.marker == nil && !keys.contains { $0.key.plain.isSameKey(as: line.key) }
        }
    }

    /// Keys that the host had before, newest first.
    var history: [HostKeySummary] { Array(known.filter { !$0.isCurrent }.reversed()) }
}

extension JSONValue {
    /// The verdict on each key of a host; `trusted` are the keys that the user accepted just now.
    static func hostKeyJudgement(_ judgement: HostKeyJudgement, trusted: [PublicKey] = []) -> JSONValue {
        let target = judgement.target
        let keys = judgement.keys.map { shown -> JSONValue in
            let isTaken = trusted.contains { $0.isSameKey(as: shown.key) }
            return [
                "fingerprint": .text(shown.key.fingerprint.description),
                "type": .text(shown.key.algorithm.name), "bits": .optional(shown.key.bits),
                "publicKeyBase64": .base64(shown.key.blob),
                "randomart": .texts(Randomart.lines(of: shown.key)),
                "verdict": .text(shown.verdict.rawValue),
                "trusted": .bool(isTaken || [.match, .certified].contains(shown.verdict)),
            ]
        }
        return [
            "host": .optional(target.profile?.name),
            "address": .optional(judgement.isProbed ? target.address.lookup : nil),
            "lookupName": .text(target.name.lookup), "verdict": .text(judgement.verdict.rawValue),
            "keys": .list(keys),
            "known": .hostKeys(judgement.known.withoutOverruledOfOneHost.filter(\.isCurrent)),
        ]
    }
}
