internal import Presentation
internal import RecordStore
internal import SSHFormats
internal import VaultKit

extension CallRow {
    /// The commands about public SSH keys and hosts; only the command line changes them, because it also writes files outside
    /// the vault.
    static let ssh: [String: CallRow] = [
        "ssh key list": CallRow(or: ["trash"]) { opened, request in
            let wanted = Listing(inTrash: request.inTrash)
            let keys = try await opened.vault.whole()(Operations.sshKeys, wanted)
            return keyAnswer(.sshKeys(keys, publishedIn: opened.publicKeyFolder), keys, opened)
        },
        "ssh key show": CallRow("name", or: ["trash"]) { opened, request in
            let half = try await publicHalf(request.text("name"), inTrash: request.inTrash, opened.vault)
            let shown = JSONValue.sshKeyDetails(half, publishedIn: opened.publicKeyFolder)
            return keyAnswer(shown, [half.summary], opened)
        },
        "ssh host list": CallRow(or: ["keys", "trash"]) { opened, request in
            let (vault, inTrash) = (opened.vault, request.inTrash)
            if request.truth("keys") == true {
                let lines = try await vault(Operations.hostKeys, nil).withoutOverruled
                return CallAnswer(["hostKeys": .hostKeys(lines.filter { $0.isCurrent != inTrash })])
            }
            var hosts: [(host: HostSummary, lines: [HostKeySummary])] = []
            for host in try await vault.whole()(Operations.sshHosts, Listing(inTrash: inTrash)) {
                hosts.append((host, try await vault(Operations.hostKeys, host.profile.lookupName)))
            }
            return CallAnswer(.sshHosts(hosts, standard: try await vault(Operations.defaultSSHHost)?.name))
        },
        // A profile by its name or identifier, else the known keys of a host by the name that ssh asks for.
        "ssh host show": CallRow("name", or: ["trash"]) { opened, request in
            let word = try request.text("name")
            let (host, near) = try await profile(word, inTrash: request.inTrash, opened.vault)
            let name = try host?.profile.lookupName ?? hostName(word)
            let lines = try await opened.vault(Operations.hostKeys, name)
            guard host != nil || !lines.isEmpty else {
                throw RecordWords.host.unknown(word, near: near, OpenedService.display)
            }
            return CallAnswer(.sshHostDetails(host, lookupName: name.lookup, lines))
        },
    ]

    /// Adds warnings about certificates that have expired or will soon.
    private static func keyAnswer(
        _ data: JSONValue,
        _ keys: [KeySummary],
        _ opened: OpenedService
    ) -> CallAnswer {
        var answer = CallAnswer(data)
        let now = opened.now
        for (key, end) in CertificateTime.due(keys, now: now) {
            answer.warn(CertificateTime.code(of: end, now: now), key.name, "endsAt", end)
        }
        return answer
    }

    private static func publicHalf(
        _ word: String,
        inTrash: Bool,
        _ vault: any VaultService
    ) async throws -> PublicHalf {
        switch try await NameLookup.keys(try await vault.whole()).find(word, inTrash: inTrash) {
        case .named(let key), .begun(let key): return try await vault(Operations.sshPublicHalf, key.name)
        case .inTrash: throw RecordWords.key.inTrash(word, OpenedService.display)
        case .ambiguous: throw VaultError.ssh(.unknownKey)
        case .unknown(let near):
            throw RecordWords.key.unknown(word, near: near, inTrash: inTrash, OpenedService.display)
        }
    }

    /// Finds the profile for a word; else returns the nearest names, because the word may be a host's name.
    private static func profile(
        _ word: String,
        inTrash: Bool,
        _ vault: any VaultService
    ) async throws -> (host: HostSummary?, near: [String]) {
        switch try await NameLookup.hosts(try await vault.whole()).find(word, inTrash: inTrash) {
        case .named(let host), .begun(let host): return (host, [])
        case .inTrash: throw RecordWords.host.inTrash(word, OpenedService.display)
        case .ambiguous: throw VaultError.ssh(.unknownHost)
        case .unknown(let near):
            guard !inTrash else {
                throw RecordWords.host.unknown(word, near: near, inTrash: true, OpenedService.display)
            }
            return (nil, near)
        }
    }

    private static func hostName(_ word: String) throws(VaultError) -> HostName {
        do throws(SSHFormatError) {
            return try HostName(lookup: word)
        } catch {
            throw .ssh(.format(error))
        }
    }
}
