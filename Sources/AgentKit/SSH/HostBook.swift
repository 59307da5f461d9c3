internal import SSHFormats
internal import VaultKit
internal import VaultPolicy

/// The vault's knowledge of hosts by their keys: a session binding has a key, and never a name.
struct HostBook: Sendable {
    /// The largest number of names in a prompt.
    private static let maximumNames = 4

    private let lines: [[UInt8]: [HostKeySummary]]
    private let profiles: [HostSummary]
    /// The host names in the conditions of keys and in rules, in their lookup form.
    private let wanted: [HostName]
    /// The rules that ask or refuse by the name of a host.
    private let strict: [Rule]
    /// Whether some profiles cannot be read.
    private let lacksProfiles: Bool

    init(_ view: SSHView) {
        lines = Dictionary(grouping: view.hostKeys) { $0.key.plain.blob }
        profiles = view.hosts
        lacksProfiles = view.lacksHosts
        wanted =
            (view.keys.flatMap(\.use.hosts) + view.hostRules.flatMap { [$0.host, $0.via] }.compactMap(\.self))
            .compactMap { try? HostName(lookup: $0) }
        strict = view.hostRules.filter { rule in
            // A fingerprint needs no name.
            rule.effect != .allow && !(rule.host?.hasPrefix("SHA256:") ?? true)
        }
    }

    /// Returns the facts about a host that has proved to have this key, or certificate.
    ///
    /// Its names are those under which the vault trusts the key. A key that was revoked under any name counts as
    /// revoked, since anyone may have it. A key that the vault only knows as replaced counts as changed. A key that
    /// may belong to a host about which a rule asks or refuses counts as unknown, so that its logins are asked about.
    func facts(of key: PublicKey, in vault: Vault, at time: UInt64) -> HostFacts {
        let plain = lines[key.plain.blob] ?? []
        let authority = (try? Certificate(key)).flatMap { lines[$0.authority.blob] } ?? []
        if (plain + authority).contains(where: { $0.isCurrent && $0.host.marker == .revoked }) {
            return facts(key, .revoked)
        }
        let trusted =
            plain.filter { $0.isCurrent && $0.host.marker == nil }
            + authority.filter { $0.isCurrent && $0.host.marker == .authority }
        var names: [String] = []
        var isChanged = false
        for name in candidates(in: trusted, principals(of: key)) {
            guard let verdict = try? vault.checkHostKeyAtOnce(key, for: name).verdict else {
                return facts(key, .changed)
            }
            switch verdict {
            case .match, .certified: names.append(name.lookup)
            case .revoked: return facts(key, .revoked)
            case .changed: isChanged = true
            case .new: continue
            }
        }
        let since = trusted.map(\.firstSeen).min()
        let known: HostFacts.Status = mayBeMeant(trusted, as: names, at: time) ? .unknown : .known
        if !names.isEmpty { return facts(key, known, names, since) }
        if isChanged { return facts(key, .changed) }
        // The name is hidden behind a hash or a pattern that matches no profile, key or rule: the line counts. An
        // imported line that was not compared counts only after ssh has found a host with it.
        let counts = plain.contains { line in
            line.isCurrent && line.host.marker == nil && line.isConfirmed
        }
        if counts {
            return facts(key, known, [], since)
        }
        let isReplaced = plain.contains { if case .replaced = $0.state { true } else { false } }
        return facts(key, isReplaced && trusted.isEmpty ? .changed : .unknown, [], since)
    }

    /// Returns the key names that the profiles of a host request, in their order.
    func keyNames(for host: HostFacts) -> [String] {
        profiles.filter { host.names.contains($0.profile.lookupName.lookup) }
            .compactMap(\.profile.keyReference)
    }

    /// Whether the conditions of a key name this host, by profile or by name.
    func isOne(of names: [String], _ host: HostFacts) -> Bool {
        names.contains { name in
            host.names.contains(name)
                || profiles.contains { $0.name == name && host.names.contains($0.profile.lookupName.lookup) }
        }
    }

    private func facts(
        _ key: PublicKey,
        _ status: HostFacts.Status,
        _ names: [String] = [],
        _ since: UInt64? = nil
    ) -> HostFacts {
        var facts = HostFacts(
            names: names,
            fingerprint: key.fingerprint.description,
            status: status,
            knownSince: since
        )
        facts.profiles = profiles.filter { names.contains($0.profile.lookupName.lookup) }.map(\.name)
        return facts
    }

    /// Whether a rule that asks or refuses may apply to the host of these lines, although it names none of these
    /// names.
    ///
    /// It may if a profile cannot be read, since the rule may name it. It also may if a line has a hashed name, or a
    /// pattern with a port, that was not looked up.
    private func mayBeMeant(_ lines: [HostKeySummary], as names: [String], at time: UInt64) -> Bool {
        let rules = strict.filter { rule in rule.expires.map { time < $0 } ?? true }
        guard !rules.isEmpty else { return false }
        if lacksProfiles { return true }
        let found = names.compactMap { try? HostName(lookup: $0) }
        return rules.contains { rule in
            guard let host = rule.host?.lowercased(), !names.contains(where: { rule.means($0, by: host) }),
                let name = try? HostName(lookup: host), name.lookup == name.name
            else { return false }
            return lines.contains { line in
                if line.host.names.isHashed { return !found.contains(where: line.host.names.matches) }
                return line.host.names.mayMatch(name)
            }
        }
    }

    /// Returns the names of a certificate without patterns; empty unless its authority has signed it.
    private func principals(of key: PublicKey) -> [HostName] {
        guard let certificate = try? Certificate(key), lines[certificate.authority.blob] != nil,
            certificate.kind == .host, (try? certificate.checkSignature()) != nil
        else { return [] }
        return certificate.principals.compactMap { try? HostName(host: String(decoding: $0, as: UTF8.self)) }
    }

    /// Returns the names that the lines may stand for: their own names, those of the certificate, and those of
    /// profiles, keys and rules.
    private func candidates(in trusted: [HostKeySummary], _ principals: [HostName]) -> [HostName] {
        let written =
            principals
            + trusted.flatMap { line in
                line.host.names.isHashed || line.host.names.hasWildcards
                    ? []
                    : line.host.names.names.compactMap { name in
                        try? HostName(lookup: String(decoding: name, as: UTF8.self))
                    }
            }
        let named = (profiles.map(\.profile.lookupName) + wanted).filter { name in
            trusted.contains { line in
                line.host.names.matches(name) || (name.withoutPort.map(line.host.names.matches) ?? false)
            }
        }
        // Patterns with a port also stand for the named hosts with that port.
        let placed = wanted.flatMap { name in
            trusted.flatMap { line in line.host.names.ports(of: name) }
                .compactMap { try? HostName(host: name.name, port: $0) }
        }
        // A rule about a name applies to every port.
        let mine = named + placed + written.filter { name in name.withoutPort.map(wanted.contains) ?? false }
        var seen: Set<String> = []
        // Names of profiles, keys and rules come first, so that a line with many names cannot displace them.
        let all = (mine + written).filter { seen.insert($0.lookup).inserted }
        return Array(all.prefix(max(mine.count, Self.maximumNames)))
    }
}
