/// Taking a known_hosts file into the book.
extension HostKeyBook {
    /// Takes the lines of a file after those that are there.
    ///
    /// A line that stands there already, as often as in the file, is not taken again, comments included; nor is
    /// one that says nothing new about plain or hashed names. What is new within the file is not compared with
    /// the rest of it: a host with three keys comes with three. A key behind a hashed name is compared with
    /// names that can be read, not with other hashes: that is left to lookups, which see by the time of their own
    /// that the lines of an import get what was there before (`HostKeyClaim`).
    ///
    /// - Throws: `SSHFormatError.oversized`; nothing is taken then.
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
            // A person said that this very host may have this key.
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

    /// Makes history of what was known of names in conflict.
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
    /// Whether a line lets keys in for hosts that it does not name one by one.
    public var isWide: Bool { marker == .authority || marker == nil && names.hasWildcards }
}

extension KnownHostsImport {
    /// Counts a line that is taken.
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
