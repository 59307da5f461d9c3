/// The steps that changes of the book consist of.
extension HostKeyBook {
    /// The lines that trust a key for exactly this name.
    func trusted(for name: HostName) -> [HostKeyEntry] {
        trusted(for: Array(name.lookup.utf8))
    }

    /// The lines that trust a key for a name in its lookup form.
    func trusted(for lookup: [UInt8]) -> [HostKeyEntry] {
        entries.filter { $0.isTrust(for: lookup) }
    }

    /// The trusting lines for a name in its lookup form, except lines that wait for a person's decision.
    func counting(for lookup: [UInt8]) -> [HostKeyEntry] {
        let trusted = trusted(for: lookup)
        let waiting = HostKeyEntry.waiting(among: trusted, for: lookup)
        return trusted.filter { !waiting.contains($0.sequence) }
    }

    /// The numbers of the lines that wait for a person's decision about this name, or about the name without
    /// its port.
    func waiting(for name: HostName) -> Set<UInt64> {
        Self.lookups(of: name).reduce(into: []) { waiting, lookup in
            waiting.formUnion(HostKeyEntry.waiting(among: entries, for: lookup))
        }
    }

    /// The trusting lines of this name, and of the name without its port, that do not wait for a decision.
    func counting(for name: HostName) -> [HostKeyEntry] {
        let waiting = waiting(for: name)
        return Self.lookups(of: name).flatMap { trusted(for: $0) }.filter { !waiting.contains($0.sequence) }
    }

    private static func lookups(of name: HostName) -> [[UInt8]] {
        [name, name.withoutPort].compactMap { $0.map { Array($0.lookup.utf8) } }
    }

    /// The lines of a name that a change must include if it is meant for some of them.
    ///
    /// If one of the meant lines counts, all waiting lines are included, because without it they would count.
    func targets(
        for lookup: [UInt8],
        _ isMeant: (HostKeyEntry) -> Bool
    ) -> [HostKeyEntry] {
        let trusted = trusted(for: lookup)
        let waiting = HostKeyEntry.waiting(among: trusted, for: lookup)
        let meant = Set(trusted.filter(isMeant).map(\.sequence))
        let all = meant.isSubset(of: waiting) ? meant : meant.union(waiting)
        return trusted.filter { all.contains($0.sequence) }
    }

    /// The index of a line; nil if there is none.
    func index(of sequence: UInt64) -> Int? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].sequence < sequence { low = middle + 1 } else { high = middle }
        }
        return low < entries.count && entries[low].sequence == sequence ? low : nil
    }

    /// Turns a line's part about one name into history, and keeps the part about other names; returns the
    /// history.
    ///
    /// - Throws: `SSHFormatError.unknownHostKey` if no current line has this number.
    mutating func detach(
        _ lookup: [UInt8],
        from sequence: UInt64,
        as state: HostKeyEntry.State
    ) throws(SSHFormatError) -> HostKeyEntry {
        guard let index = index(of: sequence), let host = entries[index].currentHost else {
            throw .unknownHostKey
        }
        guard let rest = host.names.without(lookup: lookup) else {
            entries[index].state = state
            return entries[index]
        }
        var history = entries[index]
        history.line = history.line.renamed(HostPattern(list: lookup))
        history.state = state
        entries[index].line = entries[index].line.renamed(rest)
        append(history)
        return entries[entries.count - 1]
    }

    /// Exchanges the last line with another one; returns the former last line.
    ///
    /// So a key that replaces another gets its position in the file, and the replaced line goes last, where
    /// the position does not matter.
    mutating func exchangeLast(with other: inout HostKeyEntry) -> HostKeyEntry? {
        guard let index = index(of: other.sequence), var last = entries.last else { return nil }
        (last.sequence, other.sequence) = (other.sequence, last.sequence)
        entries[index] = last
        entries[entries.count - 1] = other
        return last
    }
}

extension HostKeyEntry {
    /// Time of removal; nil if the line was not removed.
    var removedAt: UInt64? {
        if case .removed(let time) = state { time } else { nil }
    }

    /// Whether the line was removed before a time.
    func wasRemoved(before time: UInt64) -> Bool {
        guard let removedAt else { return false }
        return removedAt < time
    }
}

extension PublicKey {
    /// The plain key alone, as ssh writes it into known_hosts.
    var withoutComment: PublicKey {
        var key = plain
        key.comment = []
        return key
    }
}
