internal import RecordStore
public import SSHFormats

extension Vault {
    /// All current lines for some names, in order, with revocations and authorities.
    ///
    /// Only the few records that can hold them are read. A name with a port does not include the bare name;
    /// pass both to get both.
    public func knownHosts(for names: [HostName]) throws(VaultError) -> [KnownHost] {
        try knownHostsAtOnce(for: names)
    }

    /// Like `knownHosts`, but blocks the caller's thread on the disk.
    ///
    /// A program that only makes this lookup and then exits uses it: starting the vault's queue would need more time
    /// than the lookup.
    public nonisolated func knownHostsAtOnce(for names: [HostName]) throws(VaultError) -> [KnownHost] {
        try reading { reader in try HostKeyLookup(reader, for: names).hosts }
    }

    /// Returns the verdict on a key or certificate that a host offers.
    ///
    /// With `noting`, the vault records that it saw a trusted key, at most once a day. A failure of that is in the answer
    /// and does not change the verdict.
    public func checkHostKey(
        _ key: PublicKey,
        for name: HostName,
        noting: Bool = false
    ) throws(VaultError) -> HostKeyCheck {
        try checkHostKeyAtOnce(key, for: name, noting: noting)
    }

    /// Like `checkHostKey`, but blocks the caller's thread on the disk.
    public nonisolated func checkHostKeyAtOnce(
        _ key: PublicKey,
        for name: HostName,
        noting: Bool = false
    ) throws(VaultError) -> HostKeyCheck {
        let time = now()
        let found = try reading { reader in
            try HostKeyLookup(reader, for: [name] + [name.withoutPort].compactMap(\.self))
        }
        let current = found.current
        let check = HostCheck(key, for: name, among: current.compactMap(\.host), at: time)
        let lines = check.verdict.lines.compactMap { line in current.first { $0.host == line } }
        let plain = key.plain
        let history = found.entries.filter { entry in
            guard !entry.isCurrent, let host = entry.host, host.marker == nil else { return false }
            return host.names.matches(name) && host.key.isSameKey(as: plain)
        }
        var failure: VaultError?
        if noting, check.verdict.isTrusted, let line = lines.first, line.isDue(at: time) {
            do throws(VaultError) {
                try note(line, at: time)
            } catch {
                failure = error
            }
        }
        return HostKeyCheck(
            check: check,
            lines: lines.compactMap { HostKeySummary($0) },
            history: history.compactMap { HostKeySummary($0) },
            notNoted: failure
        )
    }

    /// The lines of a host under exactly this name, or of all hosts, in order and with history.
    public func hostKeys(for name: HostName? = nil) throws(VaultError) -> [HostKeySummary] {
        try reading { reader in
            if let name { return try HostKeyLookup(reader, for: [name]).summaries }
            let book = try HostKeyTransaction(reader, now: now(), entropy: entropy).book
            return book.entries.compactMap { HostKeySummary($0) }
        }
    }

    /// Imports the lines of a known_hosts file in one commit, and reads them back.
    ///
    /// Lines that add nothing are skipped, comments included. Another key for a known name is a conflict;
    /// conflicts do not stop the rest.
    ///
    /// - Parameters:
    ///   - file: the lines to import.
    ///   - conflicts: the treatment of a line with another key for a known name.
    ///   - isTrial: whether to report the result without writing anything.
    /// - Returns: the counts of the lines, and the conflicts.
    /// - Throws: `format(.oversized)` for more lines or bytes than the vault keeps; then nothing changes.
    public func importKnownHosts(
        _ file: KnownHostsFile,
        conflicts: KnownHostsImport.Conflicts = .leave,
        isTrial: Bool = false
    ) throws(VaultError) -> KnownHostsImport {
        try onHostKeys(isTrial: isTrial) { (book, now) throws(SSHFormatError) in
            try book.take(file, conflicts: conflicts, at: now)
        }
    }

    /// Every current line, in order, byte for byte.
    public func exportKnownHosts() throws(VaultError) -> KnownHostsFile {
        try transact(HostKeyTransaction.self) { known in known.book.file }
    }

    /// Records that a line was seen.
    private nonisolated func note(_ entry: HostKeyEntry, at time: UInt64) throws(VaultError) {
        _ = try retrying {
            try reading { reader in
                ((), try HostKeyLookup.noting(entry, at: time, reader))
            }
        }
    }
}

/// The vault's judgement on a key that a host offers.
public struct HostKeyCheck: Sendable, Equatable, Codable {
    /// The verdict of the ssh rules.
    public let check: HostCheck
    /// The lines behind the verdict: the matching, certifying or revoking line.
    ///
    /// For a changed key they are all trusted lines; for a new host there are none.
    public let lines: [HostKeySummary]
    /// Earlier lines of this name with exactly the offered key, which was replaced or removed.
    public let history: [HostKeySummary]
    /// The error of recording that the key was seen; it does not change the verdict.
    public let notNoted: VaultError?

    /// The verdict of the check.
    public var verdict: HostVerdict { check.verdict }
}
