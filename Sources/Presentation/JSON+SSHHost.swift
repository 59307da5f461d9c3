package import SSHFormats
internal import VaultKit

/// The objects of Schemas/cli/ssh-host.schema.json.
extension JSONValue {
    /// A profile, with the keys that the host is known by now.
    package static func sshHost(_ host: HostSummary, _ lines: [HostKeySummary]) -> JSONValue {
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
            ("restorableUntilAt", .time(host.removedAt.map { Int64(TrashPolicy.end(removedAt: $0)) })),
            ("hostKeys", .hostKeys(lines.believedOfOneHost.filter(\.isCurrent))),
        ]
        return .object(members.map { JSONMember($0.0, $0.1) })
    }

    /// `ssh host list`.
    ///
    /// `standard` is the name of the default host; nil where there is none.
    package static func sshHosts(
        _ hosts: [(host: HostSummary, lines: [HostKeySummary])],
        standard: String?
    ) -> JSONValue {
        ["hosts": .list(hosts.map { .sshHost($0.host, $0.lines) }), "default": .optional(standard)]
    }

    /// `ssh host show`: the profile, where there is one, and all that is known of the host.
    package static func sshHostDetails(
        _ host: HostSummary?,
        lookupName: String,
        _ lines: [HostKeySummary]
    ) -> JSONValue {
        let known = lines.believedOfOneHost
        return [
            "host": host.map { .sshHost($0, known) } ?? .null,
            "lookupName": .text(lookupName),
            "hostKeys": .list(known.filter(\.isCurrent).map { .hostKeyDetail($0) }),
            "history": .hostKeys(known.filter { !$0.isCurrent }.reversed()),
        ]
    }

    /// Lines of known hosts.
    package static func hostKeys(_ lines: [HostKeySummary]) -> JSONValue { .list(lines.map { .hostKey($0) }) }

    /// A line of known hosts.
    package static func hostKey(_ line: HostKeySummary) -> JSONValue {
        .object(hostKeyMembers(line))
    }

    /// The same with what a list does not show.
    package static func hostKeyDetail(_ line: HostKeySummary) -> JSONValue {
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
            ("state", .text(line.standing.rawValue)),
            ("source", .text(line.source.jsonName)),
            ("firstSeenAt", .time(Int64(line.firstSeen))),
            ("lastSeenAt", .time(line.lastSeen.map { Int64($0) })),
            ("endedAt", .time(line.endedAt.map { Int64($0) })),
            ("replacedBy", .optional(replacedBy)),
            ("notComparedSinceRestore", .bool(line.isUncompared)),
        ]
        return members.map { JSONMember($0.0, $0.1) }
    }
}

extension HostKeySource {
    /// The source as the JSON output spells it.
    fileprivate var jsonName: String {
        switch self {
        case .firstUse: "firstUse"
        case .compared: "compared"
        case .imported: "imported"
        case .authority: "authority"
        case .sshfp: "sshfp"
        }
    }
}
