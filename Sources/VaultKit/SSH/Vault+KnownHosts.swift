internal import RecordStore
public import SSHFormats

extension Vault {
    /// All lines that count for some names, marks of revocation and authorities included, in their order.
    ///
    /// Only the few records that can hold them are read. A name with a port does not stand for the bare name:
    /// ask for both where both are wanted.
    public func knownHosts(for names: [HostName]) throws(VaultError) -> [KnownHost] {
        try knownHostsAtOnce(for: names)
    }

    /// The same on the thread of the caller, which waits for the disk.
    ///
    /// For a program that does nothing else meanwhile and ends right after: starting the queue of the vault would
    /// take it longer than the lookup.
    public nonisolated func knownHostsAtOnce(for names: [HostName]) throws(VaultError) -> [KnownHost] {
        try reading { (reader) throws(VaultError) in try HostKeyLookup(reader, for: names).hosts }
    }

    /// Judges a key, which may be a certificate, that a host offers.
    ///
    /// With `noting`, that a trusted key was seen is written down, at most once a day; a failure of that is in
    /// the answer and does not change the verdict.
    public func checkHostKey(
        _ key: PublicKey,
        for name: HostName,
        noting: Bool = false
    ) throws(VaultError) -> HostKeyCheck {
        try checkHostKeyAtOnce(key, for: name, noting: noting)
    }

    /// The same on the thread of the caller, as `knownHostsAtOnce`.
    public nonisolated func checkHostKeyAtOnce(
        _ key: PublicKey,
        for name: HostName,
        noting: Bool = false
    ) throws(VaultError) -> HostKeyCheck {
        let time = now()
        let found = try reading { (reader) throws(VaultError) in
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

    /// What is known of a host under this very name, or of all of them, history included, in order.
    public func hostKeys(for name: HostName? = nil) throws(VaultError) -> [HostKeySummary] {
        try reading { (reader) throws(VaultError) in
            if let name { return try HostKeyLookup(reader, for: [name]).summaries }
            let book = try HostKeyTransaction(reader, now: now(), entropy: entropy).book
            return book.entries.compactMap { HostKeySummary($0) }
        }
    }

    /// Takes the lines of a known_hosts file after what is there, in one commit, and reads them back.
    ///
    /// What says nothing new is not taken twice, comments included. Another key for a known name is a
    /// conflict; conflicts do not stop the rest.
    ///
    /// - Parameters:
    ///   - file: the lines to take.
    ///   - conflicts: what happens to a line with another key for a known name.
    ///   - isTrial: whether to say only what would happen.
    /// - Returns: what became of the lines, and which of them are in conflict.
    /// - Throws: `format(.oversized)` for more lines or bytes than the vault keeps; nothing is changed then.
    public func importKnownHosts(
        _ file: KnownHostsFile,
        conflicts: KnownHostsImport.Conflicts = .leave,
        isTrial: Bool = false
    ) throws(VaultError) -> KnownHostsImport {
        try onHostKeys(isTrial: isTrial) { (book, now) throws(SSHFormatError) in
            try book.take(file, conflicts: conflicts, at: now)
        }
    }

    /// Every line that counts, in order, byte for byte.
    public func exportKnownHosts() throws(VaultError) -> KnownHostsFile {
        try transact(HostKeyTransaction.self) { known in known.book.file }
    }

    /// Writes down that a line was seen.
    private nonisolated func note(_ entry: HostKeyEntry, at time: UInt64) throws(VaultError) {
        _ = try retrying { () throws(VaultError) in
            try reading { (reader) throws(VaultError) in
                ((), try HostKeyLookup.noting(entry, at: time, reader))
            }
        }
    }
}

/// What the vault says to a key that a host offers.
public struct HostKeyCheck: Sendable, Equatable, Codable {
    /// The verdict, as ssh would give it.
    public let check: HostCheck
    /// The lines behind the verdict: the one that matches, certifies or revokes; for a changed key all that are
    /// trusted; none for a new host.
    public let lines: [HostKeySummary]
    /// Earlier lines of this name with the very key that is offered: it was replaced, or taken out.
    public let history: [HostKeySummary]
    /// Why it could not be noted that the key was seen; it does not touch the verdict.
    public let notNoted: VaultError?

    /// What is said to the key.
    public var verdict: HostVerdict { check.verdict }
}
