package import SSHFormats
internal import VaultKit

/// The objects of Schemas/cli/ssh-host.schema.json.
extension JSONValue {
    /// Returns a profile with the current keys of its host.
    package static func sshHost(_ host: HostSummary, _ lines: [HostKeySummary]) -> JSONValue {
        let profile = host.profile
        return [
            "name": .text(host.name), "id": .text(profile.id.description),
            "label": .text(profile.label), "displayName": .text(profile.displayName),
            "address": .text(profile.address.name), "port": .integer(profile.address.port),
            "user": .text(profile.user), "auth": .text(profile.authentication.rawValue),
            "key": .optional(profile.keyReference), "password": .optional(profile.passwordReference),
            "uploadPath": .text(profile.uploadPath), "hostKeyAlias": .optional(profile.hostKeyAlias?.name),
            "lookupName": .text(profile.lookupName.lookup), "scanCommand": .text(profile.scanCommand),
            "default": .bool(host.isDefault), "local": .bool(host.isLocal),
            "state": host.removedAt == nil ? "active" : "removed",
            "createdAt": .time(host.created), "modifiedAt": .time(host.modified),
            "removedAt": .time(host.removedAt),
            "restorableUntilAt": .time(host.removedAt.map { TrashPolicy.end(removedAt: $0) }),
            "hostKeys": .hostKeys(lines.withoutOverruledOfOneHost.filter(\.isCurrent)),
        ]
    }

    /// Returns the result of `ssh host list`.
    ///
    /// `standard` is the name of the default host, or nil.
    package static func sshHosts(
        _ hosts: [(host: HostSummary, lines: [HostKeySummary])],
        standard: String?
    ) -> JSONValue {
        ["hosts": .list(hosts.map { .sshHost($0.host, $0.lines) }), "default": .optional(standard)]
    }

    /// Returns the result of `ssh host show`: the profile, if the host has one, and all known facts about the host.
    package static func sshHostDetails(
        _ host: HostSummary?,
        lookupName: String,
        _ lines: [HostKeySummary]
    ) -> JSONValue {
        let known = lines.withoutOverruledOfOneHost
        return [
            "host": host.map { .sshHost($0, known) } ?? .null, "lookupName": .text(lookupName),
            "hostKeys": .list(
                known.filter(\.isCurrent).map { line in
                    .hostKey(line).with([
                        "md5": .text(Fingerprint(of: line.key, .md5).description),
                        "randomart": .texts(Randomart.lines(of: line.key)),
                    ])
                }
            ),
            "history": .hostKeys(known.filter { !$0.isCurrent }.reversed()),
        ]
    }

    /// Returns lines of known hosts.
    package static func hostKeys(_ lines: [HostKeySummary]) -> JSONValue { .list(lines.map { .hostKey($0) }) }

    /// Returns a line of known hosts.
    package static func hostKey(_ line: HostKeySummary) -> JSONValue {
        var replacedBy: String?
        if case .replaced(_, let fingerprint) = line.state { replacedBy = fingerprint.description }
        return [
            "names": .optional(String(validating: line.host.names.text, as: UTF8.self)),
            "hashed": .bool(line.host.names.isHashed),
            "fingerprint": .text(line.key.fingerprint.description),
            "type": .text(line.key.algorithm.name), "bits": .optional(line.key.bits),
            "publicKeyBase64": .base64(line.key.blob),
            "state": .text(line.shownState.rawValue), "source": .text(line.source.jsonName),
            "firstSeenAt": .time(line.firstSeen), "lastSeenAt": .time(line.lastSeen),
            "endedAt": .time(line.endedAt), "replacedBy": .optional(replacedBy),
            "notComparedSinceRestore": .bool(line.isUncompared),
        ]
    }
}

extension HostKeySource {
    /// The source as a word of the JSON output.
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

extension HostKeySummary {
    /// The vault's judgement of a line, as a word of the JSON output.
    package enum ShownState: String {
        case trusted, authority, revoked, undecided, replaced, removed
    }

    /// The vault's judgement of this line.
    package var shownState: ShownState {
        switch (state, host.marker) {
        case (.replaced, _): .replaced
        case (.removed, _): .removed
        case (.current, _) where isWaiting: .undecided
        case (.current, .revoked): .revoked
        case (.current, .authority): .authority
        case (.current, nil): .trusted
        }
    }

    /// The time when the line became history; nil for a current line.
    package var endedAt: UInt64? {
        switch state {
        case .current: nil
        case .replaced(let time, _): time
        case .removed(let time): time
        }
    }
}

extension [HostKeySummary] {
    /// The lines without trusting lines whose key other lines revoke for all their names.
    ///
    /// A revocation leaves the trusting line in the book, for exports, but overrides it. Lists must not show such a
    /// key as trusted.
    package var withoutOverruled: [HostKeySummary] {
        let marks = filter { $0.isCurrent && $0.host.marker == .revoked }
        guard !marks.isEmpty else { return self }
        return filter { line in
            guard line.isCurrent, line.host.marker == nil else { return true }
            let ofKey = marks.filter { $0.key.isSameKey(as: line.key) }
            return !ofKey.contains { $0.host.names.covers(line.host.names) }
        }
    }

    /// The same selection if all lines are of one host: a revocation under any name applies to it.
    package var withoutOverruledOfOneHost: [HostKeySummary] {
        let marks = filter { $0.isCurrent && $0.host.marker == .revoked }
        return filter { line in
            guard line.isCurrent, line.host.marker == nil else { return true }
            return !marks.contains { $0.key.isSameKey(as: line.key) }
        }
    }
}

extension HostPattern {
    /// Whether every name of another list is also in this list; patterns and hashed names must be equal.
    fileprivate func covers(_ other: HostPattern) -> Bool {
        if self == other { return true }
        guard !other.isHashed, !other.hasWildcards, !other.names.isEmpty else { return false }
        return other.names.allSatisfy { text in
            guard let name = try? HostName(lookup: String(decoding: text, as: UTF8.self)) else {
                return false
            }
            return matches(name)
        }
    }
}
