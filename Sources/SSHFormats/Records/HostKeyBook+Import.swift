/// Imports a known_hosts file into the book.
extension HostKeyBook {
    /// Adds the lines of a file after the existing ones.
    ///
    /// Lines that exist, comments included, are skipped as often as they exist; so are lines that add nothing
    /// about plain or hashed names. New lines are not compared with the rest of the file: a host with three
    /// keys gets three. A key behind a hashed name is compared with readable names, not with other hashes.
    /// Lookups do that later: all lines of an import get one time of their own, which shows what existed before
    /// (`HostKeyClaim`).
    ///
    /// - Throws: `SSHFormatError.oversized`; then nothing is added.
    public mutating func take(
        _ file: KnownHostsFile,
        conflicts rule: KnownHostsImport.Conflicts,
        at time: UInt64
    ) throws(SSHFormatError) -> KnownHostsImport {
        guard entries.count + file.lines.count <= Self.maximumEntries else {
            throw .oversized(limit: Self.maximumEntries)
        }
        var report = KnownHostsImport()
        var book = self
        let before = HostKeyIndex(entries)
        let offered = HostKeyIndex(file)
        let moment = ownMoment(time)
        var copies: [[UInt8]: Int] = [:]
        for entry in entries where entry.isCurrent { copies[entry.line.text, default: 0] += 1 }
        for (index, line) in file.lines.enumerated() {
            if let count = copies[line.text], count > 0 {
                copies[line.text] = count - 1
                if line.host != nil { report.known += 1 }
                continue
            }
            let conflicts: [KnownHostsImport.Conflict]
            switch before.judge(line, number: index + 1, offered) {
            case .known:
                report.known += 1
                continue
            case .new: conflicts = []
            case .conflicts(let found): conflicts = found
            }
            report.conflicts += conflicts
            if !conflicts.isEmpty {
                if rule == .leave { continue }
                if rule == .replace { try book.retire(conflicts, before: next, at: time) }
            }
            report.count(line, number: index + 1)
            if before.hasHashes, let host = line.host, host.marker == nil, host.names.isHashed {
                report.uncompared += 1
            }
            let isUnended = index == file.lines.count - 1 && !file.endsWithLineFeed
            // A person said that exactly this host may have this key.
            let isSaid = rule == .add && !conflicts.isEmpty && line.host?.names.isHashed == true
            book.append(
                line,
                source: isSaid ? .compared : .imported,
                firstSeen: moment,
                lacksLineFeed: isUnended
            )
        }
        try book.checkSize()
        self = book
        return report
    }

    /// Turns the lines of names in conflict into history.
    private mutating func retire(
        _ conflicts: [KnownHostsImport.Conflict],
        before limit: UInt64,
        at time: UInt64
    ) throws(SSHFormatError) {
        for conflict in conflicts {
            let lookup = Array(conflict.name.utf8)
            let state = HostKeyEntry.State.replaced(at: time, by: conflict.offered.fingerprint)
            for entry in trusted(for: lookup) where entry.sequence < limit {
                _ = try detach(lookup, from: entry.sequence, as: state)
            }
        }
    }
}

extension KnownHost {
    /// Whether a line trusts keys for hosts that it does not name one by one.
    public var isWide: Bool { marker == .authority || marker == nil && names.hasWildcards }
}

extension KnownHostsImport {
    /// Counts an imported line.
    fileprivate mutating func count(_ line: KnownHostsLine, number: Int) {
        switch line.content {
        case .blank, .comment: comments += 1
        case .unknown: unknown.append(number)
        case .host(let host):
            added += 1
            if host.marker == .revoked { revocations += 1 }
            if host.marker == .authority { authorities += 1 }
            if host.isWide { wide.append(number) }
        }
    }
}
