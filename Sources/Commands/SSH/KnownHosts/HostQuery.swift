internal import Presentation
internal import SSHFormats
internal import VaultCrypto
internal import VaultKit

/// What ssh asks its KnownHostsCommand (ssh_config(5), TOKENS): why, about which host, and which key is offered.
struct HostQuery {
    /// Why ssh asks (`%I`).
    enum Reason: String, CaseIterable {
        /// Which types of key to prefer; no key is offered yet.
        case order = "ORDER"
        /// Whether the key is the one of the host.
        case hostname = "HOSTNAME"
        /// A query by the address of the host; with CheckHostIP only.
        case address = "ADDRESS"
    }

    let reason: Reason
    /// The name that ssh looks up (`%H`).
    let name: HostName
    /// The other names under which ssh may look up the keys that are told in ORDER.
    let otherNames: [HostName]
    /// The key that the host offers; nil in ORDER.
    let key: PublicKey?

    /// The words of the command line, checked: they come from the author of a host name.
    ///
    /// - Throws: `usage`; `badHostName`, `badPort` for a name or port that is none; what a malformed key is.
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
            // OpenSSH before 9.6 looks for the bare name here, later ones as for HOSTNAME; and an alias, where
            // there is one, is looked up in the place of both.
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
            // ssh made up these words, not a person with a file.
            var failure = Failure(error)
            failure.message = "--key and --type are not a host key in ssh's form: \(failure.message)"
            failure.hint = "hsip help ssh known-hosts"
            throw failure
        }
    }

    /// The name that the keys of the host are known under, before any other: with the port.
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
