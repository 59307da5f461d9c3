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

/// The result of importing a known_hosts file.
public struct KnownHostsImport: Hashable, Sendable, Codable {
    /// The treatment of a line with another key for a known name.
    public enum Conflicts: Hashable, Sendable, Codable {
        /// Skip the line.
        case leave
        /// Import the line; both keys are trusted then.
        case add
        /// Import the line; the name's former keys become history.
        case replace
    }

    /// A line with another key for a known name.
    public struct Conflict: Hashable, Sendable, Codable {
        /// The number of the line, from 1.
        public let line: Int
        /// The known name, `host` or `[host]:port`.
        public let name: String
        /// The key in the file.
        public let offered: PublicKey
        /// The trusted keys of the name.
        public let trusted: [PublicKey]
        /// Whether the file also has a trusted key for this name.
        ///
        /// The offered key may then be another key of the same machine. That proves nothing: trusted keys are
        /// public.
        public let isAdditional: Bool
    }

    /// Lines about hosts that were added to the vault.
    public internal(set) var added = 0
    /// Revocations among the added lines.
    public internal(set) var revocations = 0
    /// Keys of host authorities among the added lines.
    public internal(set) var authorities = 0
    /// Numbers, from 1, of added lines that count for hosts which they do not name one by one: authorities,
    /// and keys with wildcards.
    public internal(set) var wide: [Int] = []
    /// Added keys under hashed names beside other keys, with which they cannot be compared.
    public internal(set) var uncompared = 0
    /// Lines that the vault had already.
    public internal(set) var known = 0
    /// Comments and blank lines that were added.
    public internal(set) var comments = 0
    /// Numbers, from 1, of unreadable lines that were added unchanged.
    public internal(set) var unknown: [Int] = []
    /// Lines with another key for a known name; with `leave` these lines were skipped.
    public internal(set) var conflicts: [Conflict] = []

    /// A result without any line.
    public init() {}

    /// Whether the import changed the vault.
    public var isChange: Bool { added + comments + unknown.count > 0 }
}
