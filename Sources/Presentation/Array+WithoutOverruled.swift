package import SSHFormats

extension [HostKeySummary] {
    /// The lines without those that trust a key which other lines of them revoke for all the same names.
    ///
    /// A revocation leaves the line that trusted the key where it is, for the export, and beats it; no one may
    /// read there that the key is trusted.
    package var withoutOverruled: [HostKeySummary] {
        let marks = filter { $0.isCurrent && $0.host.marker == .revoked }
        guard !marks.isEmpty else { return self }
        return filter { line in
            guard line.isCurrent, line.host.marker == nil else { return true }
            let ofKey = marks.filter { $0.key.isSameKey(as: line.key) }
            return !ofKey.contains { $0.host.names.covers(line.host.names) }
        }
    }

    /// The same where all lines are of one host: a mark of whatever names is one of this host.
    package var withoutOverruledOfOneHost: [HostKeySummary] {
        let marks = filter { $0.isCurrent && $0.host.marker == .revoked }
        return filter { line in
            guard line.isCurrent, line.host.marker == nil else { return true }
            return !marks.contains { $0.key.isSameKey(as: line.key) }
        }
    }
}

extension HostPattern {
    /// Whether every name of another list is one of these; of patterns and hashed names only the same are.
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
