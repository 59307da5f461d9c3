extension HostKeyBook {
    /// Takes one whole line out, of whatever marker.
    ///
    /// - Throws: `SSHFormatError.unknownHostKey` when no line that counts has this number.
    public mutating func remove(line: UInt64, at time: UInt64) throws(SSHFormatError) -> HostKeyEntry {
        guard let index = index(of: line), entries[index].currentHost != nil else { throw .unknownHostKey }
        entries[index].state = .removed(at: time)
        return entries[index]
    }

    /// Brings back what was last taken out of a name.
    ///
    /// - Throws: `SSHFormatError.unknownHostKey` when there is nothing; `changedHostKey` when it would bring a
    ///   second key for a name that got another one since.
    public mutating func restore(_ name: HostName) throws(SSHFormatError) -> [HostKeyEntry] {
        let removed = entries.filter { entry in
            entry.removedAt != nil && entry.host?.names.matches(name) == true
        }
        let latest = removed.compactMap(\.removedAt).max()
        var book = self
        var restored: [HostKeyEntry] = []
        for entry in removed where entry.removedAt == latest {
            guard let host = entry.host, let index = index(of: entry.sequence) else { continue }
            if host.marker == nil {
                let names = host.names.plainNames ?? [Array(name.lookup.utf8)]
                let keys = names.map { name in counting(for: name).compactMap { $0.host?.key } }
                if keys.allSatisfy({ $0.contains(where: host.key.isSameKey(as:)) }) { continue }
                guard keys.allSatisfy({ $0.isEmpty || $0.contains(where: host.key.isSameKey(as:)) }) else {
                    throw .changedHostKey
                }
            }
            book.entries[index].state = .current
            restored.append(book.entries[index])
        }
        guard !restored.isEmpty else { throw .unknownHostKey }
        self = book
        return restored
    }

    /// Forgets for good what was taken out before a moment, Unix seconds.
    public mutating func purge(removedBefore limit: UInt64) {
        entries.removeAll { $0.wasRemoved(before: limit) }
    }
}
