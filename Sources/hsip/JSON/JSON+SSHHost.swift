internal import Console
internal import SSHFormats
internal import VaultKit

/// The objects of Schemas/cli/ssh-host.schema.json.
extension JSONValue {
    /// A profile, with the keys that the host is known by now.
    static func sshHost(_ host: HostSummary, _ lines: [HostKeySummary]) -> JSONValue {
        let profile = host.profile
        let members: [(String, JSONValue)] = [
            ("name", .text(host.name)),
            ("id", .text(profile.id.description)),
            ("label", .text(profile.label)),
            ("displayName", .text(profile.displayName)),
            ("address", .text(profile.address.name)),
            ("port", .integer(Int64(profile.address.port))),
            ("user", .text(profile.user)),
            ("auth", .text(profile.authentication.rawValue)),
            ("key", .optional(profile.keyReference)),
            ("password", .optional(profile.passwordReference)),
            ("uploadPath", .text(profile.uploadPath)),
            ("hostKeyAlias", .optional(profile.hostKeyAlias?.name)),
            ("lookupName", .text(profile.lookupName.lookup)),
            ("scanCommand", .text(profile.scanCommand)),
            ("default", .bool(host.isDefault)),
            ("state", host.removedAt == nil ? "active" : "removed"),
            ("createdAt", .time(Int64(host.created))),
            ("modifiedAt", .time(Int64(host.modified))),
            ("removedAt", .time(host.removedAt.map { Int64($0) })),
            ("restorableUntilAt", .time(host.removedAt.map { Int64($0) + 30 * 86_400 })),
            ("hostKeys", .hostKeys(lines.believedOfOneHost.filter(\.isCurrent))),
        ]
        return .object(members.map { JSONMember($0.0, $0.1) })
    }

    /// The same, as a command that changed it tells it.
    static func sshHost(_ host: HostSummary, _ vault: any VaultService) async throws -> JSONValue {
        .sshHost(host, try await vault.hostKeys(for: host.profile.lookupName))
    }

    static func hostKeys(_ lines: [HostKeySummary]) -> JSONValue { .list(lines.map { .hostKey($0) }) }

    /// A line of known hosts.
    static func hostKey(_ line: HostKeySummary) -> JSONValue {
        .object(hostKeyMembers(line))
    }

    /// The same with what a list does not show.
    static func hostKeyDetail(_ line: HostKeySummary) -> JSONValue {
        .object(
            hostKeyMembers(line) + [
                JSONMember("md5", .text(Fingerprint(of: line.key, .md5).description)),
                JSONMember("randomart", .list(Randomart.lines(of: line.key).map { .text($0) })),
            ]
        )
    }

    private static func hostKeyMembers(_ line: HostKeySummary) -> [JSONMember] {
        var replacedBy: String?
        if case .replaced(_, let fingerprint) = line.state { replacedBy = fingerprint.description }
        let members: [(String, JSONValue)] = [
            ("names", .optional(String(validating: line.host.names.text, as: UTF8.self))),
            ("hashed", .bool(line.host.names.isHashed)),
            ("fingerprint", .text(line.key.fingerprint.description)),
            ("type", .text(line.key.algorithm.name)),
            ("bits", .optional(line.key.bits.map { Int64($0) })),
            ("publicKeyBase64", .base64(line.key.blob)),
            ("state", .text(HostKeyCells.state(line).value)),
            ("source", .text("\(line.source)")),
            ("firstSeenAt", .time(Int64(line.firstSeen))),
            ("lastSeenAt", .time(line.lastSeen.map { Int64($0) })),
            ("endedAt", .time(HostKeyCells.ended(line).map { Int64($0) })),
            ("replacedBy", .optional(replacedBy)),
        ]
        return members.map { JSONMember($0.0, $0.1) }
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
