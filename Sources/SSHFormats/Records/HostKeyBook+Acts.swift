/// Changes of the book; each one changes all that it promises, or throws and changes nothing.
extension HostKeyBook {
    /// Seconds for which a sighting of a key is not noted again.
    public static let noting: UInt64 = 86_400

    /// Trusts keys for a host; a key already trusted under exactly this name stays as it is.
    ///
    /// A waiting line, which counts only for the name without the port, loses this name: later it would count
    /// beside the new keys.
    ///
    /// - Parameters:
    ///   - keys: the keys of the host; for certificates their plain keys, and no comments.
    ///   - name: the name and port under which hsip looks the host up.
    ///   - source: how the vault came to trust the keys.
    ///   - additional: whether the host may already have other keys.
    ///   - time: Unix seconds.
    /// - Returns: the line of each key, in the order of `keys`, and whether it is new.
    /// - Throws: `SSHFormatError.changedHostKey`; `revokedHostKey`; `oversized`.
    public mutating func trust(
        _ keys: [PublicKey],
        for name: HostName,
        source: HostKeySource,
        additional: Bool,
        at time: UInt64
    ) throws(SSHFormatError) -> [(entry: HostKeyEntry, isNew: Bool)] {
        let keys = keys.map(\.withoutComment)
        for key in keys {
            switch check(key, for: name, at: time).verdict {
            case .revoked: throw .revokedHostKey
            case .changed where !additional: throw .changedHostKey
            case .changed, .new, .match, .certified: break
            }
        }
        var book = self
        let wasShown = source != .compared && source != .imported
        let (lookup, moment) = (Array(name.lookup.utf8), moment(time))
        let waiting = waiting(for: name)
        let trusted = keys.map { key in
            let same = book.trusted(for: lookup).first { entry in
                !waiting.contains(entry.sequence) && entry.host?.key.isSameKey(as: key) == true
            }
            if let entry = same {
                return (entry: book.confirm(entry), isNew: false)
            }
            let entry = book.append(
                KnownHostsLine(KnownHost(names: HostPattern(name), key: key)),
                source: source,
                firstSeen: moment,
                lastSeen: wasShown ? moment : nil
            )
            return (entry, true)
        }
        if let new = trusted.first(where: \.isNew)?.entry.host?.key {
            for line in counting(for: lookup) where waiting.contains(line.sequence) {
                let state = HostKeyEntry.State.replaced(at: time, by: new.fingerprint)
                _ = try book.detach(lookup, from: line.sequence, as: state)
            }
        }
        try book.checkSize()
        self = book
        return trusted
    }

    /// Marks a line as compared, because a person confirmed its key.
    private mutating func confirm(_ entry: HostKeyEntry) -> HostKeyEntry {
        guard entry.isUncompared, let index = index(of: entry.sequence) else { return entry }
        entries[index].isUncompared = false
        return entries[index]
    }

    /// Replaces one key of a host under exactly this name, or all of its keys.
    ///
    /// Other names of a line keep the old key. A name that is alone on its line keeps its form and its
    /// position in the file.
    ///
    /// - Throws: `SSHFormatError.unknownHostKey`; `revokedHostKey`; `oversized`.
    public mutating func replace(
        _ old: Fingerprint?,
        for name: HostName,
        by key: PublicKey,
        source: HostKeySource,
        at time: UInt64
    ) throws(SSHFormatError) -> (entry: HostKeyEntry, replaced: [HostKeyEntry]) {
        let key = key.withoutComment
        let lookup = Array(name.lookup.utf8)
        let wanted = targets(for: lookup) { entry in
            guard let old, let host = entry.host else { return true }
            return Fingerprint(of: host.key, old.kind) == old
        }
        guard !wanted.isEmpty else { throw .unknownHostKey }
        if case .revoked = check(key, for: name, at: time).verdict { throw .revokedHostKey }
        var book = self
        let moment = moment(time)
        let existing = counting(for: lookup).first { $0.host?.key.isSameKey(as: key) == true }
        var entry = existing
        var replaced: [HostKeyEntry] = []
        for target in wanted where target.sequence != existing?.sequence {
            if target.host?.key.isSameKey(as: key) == true { continue }
            let isAlone = target.host?.names.without(lookup: lookup) == nil
            let state = HostKeyEntry.State.replaced(at: time, by: key.fingerprint)
            replaced.append(try book.detach(lookup, from: target.sequence, as: state))
            guard entry == nil, let host = target.host else { continue }
            let line = KnownHost(names: isAlone ? host.names : HostPattern(name), key: key)
            entry = book.append(KnownHostsLine(line), source: source, firstSeen: moment)
            if isAlone { entry = book.exchangeLast(with: &replaced[replaced.count - 1]) }
        }
        try book.checkSize()
        guard let entry else { throw .unknownHostKey }
        self = book
        return (entry, replaced)
    }

    /// Revokes a key for these names; an existing revocation is not repeated.
    ///
    /// - Throws: `SSHFormatError.oversized`.
    public mutating func revoke(
        _ key: PublicKey,
        for names: HostPattern,
        at time: UInt64
    ) throws(SSHFormatError) -> (entry: HostKeyEntry, isNew: Bool) {
        let mark = KnownHost(names: names, key: key.withoutComment, marker: .revoked)
        let old = entries.first { entry in
            guard let host = entry.currentHost, host.marker == .revoked else { return false }
            return host.names == names && host.key.isSameKey(as: mark.key)
        }
        if let old { return (old, false) }
        var book = self
        let entry = book.append(KnownHostsLine(mark), source: .compared, firstSeen: book.moment(time))
        try book.checkSize()
        self = book
        return (entry, true)
    }

    /// Removes the keys of a host, or only its key with this fingerprint; returns the removed lines.
    ///
    /// A waiting line counts as replaced for good, because a restored one would count as a plain line.
    ///
    /// - Throws: `SSHFormatError.unknownHostKey`; `oversized`.
    public mutating func remove(
        _ name: HostName,
        only fingerprint: Fingerprint?,
        at time: UInt64
    ) throws(SSHFormatError) -> [HostKeyEntry] {
        let lookup = Array(name.lookup.utf8)
        let targets = targets(for: lookup) { entry in
            guard let fingerprint, let host = entry.host else { return true }
            return Fingerprint(of: host.key, fingerprint.kind) == fingerprint
        }
        guard !targets.isEmpty else { throw .unknownHostKey }
        var book = self
        var removed: [HostKeyEntry] = []
        let waiting = waiting(for: name)
        for target in targets {
            var state = HostKeyEntry.State.removed(at: time)
            if waiting.contains(target.sequence), let winner = counting(for: name).first?.host?.key {
                state = .replaced(at: time, by: winner.fingerprint)
            }
            removed.append(try book.detach(lookup, from: target.sequence, as: state))
        }
        try book.checkSize()
        self = book
        return removed
    }
}
