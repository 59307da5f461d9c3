internal import SSHFormats
internal import VaultKit

/// The lines of known_hosts that answer ssh.
///
/// Every one is written here, with names that were checked: nothing of a line in the vault but its key goes through.
enum HostAnswer {
    /// Every key that the host may be known by, under every name that ssh may look for at this point.
    ///
    /// ssh takes from it only which types of key to ask the host for, first those it finds. Asking for another type
    /// would make a host that is known look changed. What is known with the port comes before what is known without,
    /// as when the key itself is judged.
    static func order(_ query: HostQuery, _ vault: any VaultService) async throws -> [String] {
        var hosts = try await vault.knownHostsAtOnce(for: [query.nameWithPort])
        if !hosts.contains(where: { $0.marker != .revoked }) {
            hosts = try await vault.knownHostsAtOnce(for: [query.nameWithPort.withoutPort ?? query.name])
        }
        if let alias = query.otherNames.last, alias.lookup != query.nameWithPort.lookup {
            hosts += try await vault.knownHostsAtOnce(for: [alias])
        }
        var names: [String] = []
        for name in [query.name] + query.otherNames where !names.contains(name.lookup) {
            names.append(name.lookup)
        }
        var lines: [String] = []
        for host in hosts where host.marker != .revoked {
            let line = Self.line(names.joined(separator: ","), host.key, host.marker)
            if !lines.contains(line) { lines.append(line) }
        }
        return lines
    }

    /// The line that lets ssh take a key, or lets it say that the key is revoked; none for another verdict.
    static func line(for verdict: HostVerdict, _ query: HostQuery) -> [String] {
        let name = query.name.lookup
        return switch verdict {
        case .match(let host): [line(name, host.key, nil)]
        case .certified(let host): [line(name, host.key, .authority)]
        case .revoked(let host): [line(name, host.key, .revoked)]
        case .new, .changed: []
        }
    }

    /// A line of checked names, marker and key, without a comment.
    static func line(_ names: String, _ key: PublicKey, _ marker: KnownHost.Marker?) -> String {
        let start = marker.map { "\($0.rawValue) " } ?? ""
        return start + names + " " + String(decoding: key.plain.typeAndBase64, as: UTF8.self)
    }
}
