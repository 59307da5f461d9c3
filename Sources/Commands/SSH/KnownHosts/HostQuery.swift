internal import Presentation
internal import SSHFormats
internal import VaultCrypto
internal import VaultKit

/// A query of ssh to its KnownHostsCommand (ssh_config(5), TOKENS): why ssh asks, the host, and the offered key.
struct HostQuery {
    /// Why ssh asks (`%I`).
    enum Reason: String, CaseIterable {
        /// To learn which types of key to prefer; no key is offered yet.
        case order = "ORDER"
        /// To learn if the key belongs to the host.
        case hostname = "HOSTNAME"
        /// To check the key by the host's address; only with CheckHostIP.
        case address = "ADDRESS"
    }

    let reason: Reason
    /// The name that ssh looks up (`%H`).
    let name: HostName
    /// The other names under which ssh may look up the keys in the answer to ORDER.
    let otherNames: [HostName]
    /// The key that the host offers; nil in ORDER.
    let key: PublicKey?

    /// Checks the words of the command line: a person who chooses the host name may have made them.
    ///
    /// - Throws: `usage`; `badHostName`, `badPort` for an invalid name or port; the error of a malformed key.
    init(
        reason: String,
        host: String,
        port: String,
        alias: String,
        type: String,
        key text: String
    ) throws {
        guard let reason = Reason(rawValue: reason) else {
            throw Failure.usage("--for must be ORDER, HOSTNAME or ADDRESS", hint: "hsip help ssh known-hosts")
        }
        self.reason = reason
        name = try HostName(lookup: host)
        let port = try HostName.port(of: port)
        guard reason != .order else {
            // For ORDER, OpenSSH before 9.6 looks up the bare name, and later versions the name as for HOSTNAME.
            // If the host has an alias, ssh looks that up instead.
            let others = [
                try? HostName(host: name.name, port: port), try? HostName(host: name.name),
                try? HostName(alias: alias),
            ]
            otherNames = others.compactMap(\.self)
            key = nil
            return
        }
        otherNames = []
        do {
            key = try Self.key(text, type: type)
        } catch let error as SSHFormatError {
            // ssh wrote these words, so an error about a file would mislead.
            var failure = Failure(error)
            failure.message = "--key and --type are not a host key in ssh's form: \(failure.message)"
            failure.hint = "hsip help ssh known-hosts"
            throw failure
        }
    }

    /// The name with the port, under which the host's keys are looked up first.
    var nameWithPort: HostName { otherNames.first ?? name }

    private static func key(_ text: String, type: String) throws -> PublicKey {
        guard text.utf8.count <= PublicKey.longestLine else {
            throw SSHFormatError.oversized(limit: PublicKey.longestLine)
        }
        guard let blob = StrictBase64.decode(Array(text.utf8)) else { throw SSHFormatError.malformedBase64 }
        let key = try PublicKey(blob: blob)
        guard key.algorithm.name == type else { throw SSHFormatError.typeMismatch }
        return key
    }
}

/// The known_hosts lines that answer ssh.
///
/// Every line is written here with checked names: only the key comes from the line in the vault.
enum HostAnswer {
    /// The lines for ORDER: every key that the host is known by, under every name that ssh may look for.
    ///
    /// From them, ssh only learns which types of key to ask the host for first. If it asked for another type, a known
    /// host would look changed. Keys that are known with the port come before keys without it, as when the key is judged.
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

    /// The line that lets ssh accept a key, or say that it is revoked; empty for another verdict.
    static func line(for verdict: HostVerdict, _ query: HostQuery) -> [String] {
        let name = query.name.lookup
        return switch verdict {
        case .match(let host): [line(name, host.key, nil)]
        case .certified(let host): [line(name, host.key, .authority)]
        case .revoked(let host): [line(name, host.key, .revoked)]
        case .new, .changed: []
        }
    }

    /// A line with checked names, the marker and the key, without a comment.
    static func line(_ names: String, _ key: PublicKey, _ marker: KnownHost.Marker?) -> String {
        let start = marker.map { "\($0.rawValue) " } ?? ""
        return start + names + " " + String(decoding: key.plain.typeAndBase64, as: UTF8.self)
    }
}
