internal import Console
internal import SSHFormats
internal import VaultKit

/// The objects of Schemas/cli/ssh-host.schema.json that only this program prints.
extension JSONValue {
    /// The same, as a command that changed it tells it.
    static func sshHost(_ host: HostSummary, _ vault: any VaultService) async throws -> JSONValue {
        .sshHost(host, try await vault(Operations.hostKeys, host.profile.lookupName))
    }

    /// What a host shows, key by key; `trusted` are those that were taken just now.
    static func hostKeyJudgement(_ judgement: HostKeyJudgement, trusted: [PublicKey] = []) -> JSONValue {
        let target = judgement.target
        return [
            "host": .optional(target.profile?.name),
            "address": .optional(judgement.isProbed ? target.address.lookup : nil),
            "lookupName": .text(target.name.lookup),
            "verdict": .text(judgement.verdict.rawValue),
            "keys": .list(
                judgement.keys.map { shown in
                    let isTaken = trusted.contains { $0.isSameKey(as: shown.key) }
                    return [
                        "fingerprint": .text(shown.key.fingerprint.description),
                        "type": .text(shown.key.algorithm.name),
                        "bits": .optional(shown.key.bits.map { Int64($0) }),
                        "publicKeyBase64": .base64(shown.key.blob),
                        "randomart": .list(Randomart.lines(of: shown.key).map { .text($0) }),
                        "verdict": .text(shown.verdict.rawValue),
                        "trusted": .bool(isTaken || [.match, .certified].contains(shown.verdict)),
                    ]
                }
            ),
            "known": .hostKeys(judgement.known.believedOfOneHost.filter(\.isCurrent)),
        ]
    }
}
