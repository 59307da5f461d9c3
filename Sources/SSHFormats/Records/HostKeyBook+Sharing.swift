/// Adds what the owner's other machines know about hosts.
extension HostKeyBook {
    /// A name for which an arriving line has another key than existing lines.
    package struct Dispute: Hashable, Sendable {
        /// The name as it is looked up.
        package let name: String
        /// The number of the arriving line.
        package let line: UInt64
    }

    /// The line with a number; nil if it does not exist.
    package func entry(_ number: UInt64) -> HostKeyEntry? { index(of: number).map { entries[$0] } }

    /// Writes a line as another machine has it under its number here; a line with the number 0 goes after all others.
    ///
    /// - Parameters:
    ///   - entry: The line. If it is history, its copies become history, too.
    ///   - copies: The numbers of the same line.
    /// - Returns: its number.
    package mutating func put(_ entry: HostKeyEntry, copies: [UInt64]) -> UInt64 {
        var number = entry.sequence
        if let index = index(of: number) {
            entries[index] = entry
        } else {
            append(entry)
            number = entries[entries.count - 1].sequence
        }
        if !entry.isCurrent {
            for copy in copies { end(copy, as: entry.state) }
        }
        return number
    }

    /// Removes these lines, and erases any of them that was already removed before `limit`.
    package mutating func remove(_ numbers: [UInt64], at time: UInt64, erasingRemovedBefore limit: UInt64) {
        let numbers = Set(numbers)
        entries.removeAll { numbers.contains($0.sequence) && $0.wasRemoved(before: limit) }
        for number in numbers {
            guard let index = index(of: number), entries[index].removedAt == nil else { continue }
            entries[index].state = .removed(at: time)
        }
    }

    private mutating func end(_ number: UInt64, as state: HostKeyEntry.State) {
        guard let index = index(of: number), entries[index].isCurrent else { return }
        entries[index].state = state
    }

    /// Decides for every name which keys count, after lines came that other machines know.
    ///
    /// Lines that wait for a name (`HostKeyClaim`) came last, whatever their time elsewhere, and end with a line that counted:
    /// without that they would count. A plain key that came for a name with other keys
    /// - is replaced by a key that a person compared, unless a person compared it, too;
    /// - replaces the others if other machines do not know any of them;
    /// - else replaces only keys of lines that may have to wait: nobody saw that they are about the name.
    ///
    /// A name that loses its key leaves its line, so other names keep theirs.
    ///
    /// - Parameters:
    ///   - arrivals: The numbers of the lines that came, change by change.
    ///   - before: The book without the arriving lines.
    ///   - time: Unix seconds.
    ///   - isShared: Whether a line counts on other machines, too.
    /// - Returns: the names for which keys differ.
    /// - Throws: `SSHFormatError.unknownHostKey` for a line that is gone.
    package mutating func settle(
        _ arrivals: [[UInt64]],
        since before: HostKeyBook,
        at time: UInt64,
        isShared: (HostKeyEntry) -> Bool
    ) throws(SSHFormatError) -> [Dispute] {
        let counted = Set(
            before.entries.filter { $0.currentHost?.marker == nil && $0.isCurrent }.map(\.sequence)
        )
        let earlier = Set(entries.filter { $0.isCurrent && counted.contains($0.sequence) }.map(\.sequence))
        let fresh = arrivals.map { numbers in
            numbers.compactMap { entry($0) }.filter { entry in
                entry.isCurrent && entry.host?.marker == nil && !counted.contains(entry.sequence)
            }
        }
        try endWaiting(since: before, counted.subtracting(earlier), fresh.flatMap(\.self), at: time)
        delay(fresh, at: time)
        advance(fresh.flatMap(\.self), before: earlier)
        guard fresh.contains(where: { !$0.isEmpty }) else { return [] }
        let index = HostKeyIndex(entries.filter { earlier.contains($0.sequence) })
        var disputes: [Dispute] = []
        let order = fresh.flatMap(\.self).sorted { first, second in
            (first.isCompared ? 0 : 1, first.sequence) < (second.isCompared ? 0 : 1, second.sequence)
        }
        for line in order {
            if let names = settleHashed(line, earlier, at: time, isShared) {
                disputes.append(Dispute(name: names, line: line.sequence))
            }
            guard case .conflicts(let found) = index.judge(line.line, number: 0, HostKeyIndex([])) else {
                continue
            }
            for conflict in found where try settle(line, for: conflict.name, earlier, at: time, isShared) {
                disputes.append(Dispute(name: conflict.name, line: line.sequence))
            }
        }
        return disputes
    }

    /// Decides between a line that came and the earlier ones of a name; whether their keys differ.
    private mutating func settle(
        _ line: HostKeyEntry,
        for name: String,
        _ earlier: Set<UInt64>,
        at time: UInt64,
        _ isShared: (HostKeyEntry) -> Bool
    ) throws(SSHFormatError) -> Bool {
        guard let key = line.host?.key else { return false }
        let lookup = Array(name.utf8)
        let trusted = trusted(for: lookup)
        let there = trusted.filter { earlier.contains($0.sequence) }
        let waiting = HostKeyEntry.waiting(among: there, for: lookup)
        let counting = there.filter { !waiting.contains($0.sequence) }
        let rivals = counting.filter { $0.host?.key.isSameKey(as: key) != true }
        guard !rivals.isEmpty, trusted.contains(where: { $0.sequence == line.sequence }) else { return false }
        // It waits by its time.
        if line.mayWait { return true }
        let compared = rivals.first(where: \.isCompared)
        if !line.isCompared, let winner = compared?.host?.key {
            let state = HostKeyEntry.State.replaced(at: time, by: winner.fingerprint)
            _ = try detach(lookup, from: line.sequence, as: state)
            return true
        }
        let shared = trusted.filter { !$0.mayWait && isShared($0) }.compactMap(\.host?.key)
        let isAgreed = counting.contains { entry in
            entry.host.map { shared.contains(where: $0.key.isSameKey(as:)) } ?? false
        }
        let losers = isAgreed ? rivals.filter(\.mayWait) : rivals
        guard !losers.isEmpty else { return compared != nil }
        for number in waiting.union(losers.map(\.sequence)) {
            _ = try detach(lookup, from: number, as: .replaced(at: time, by: key.fingerprint))
        }
        return true
    }

    /// Settles a hashed name that earlier lines have too, as after two replacements; nil if they agree.
    private mutating func settleHashed(
        _ line: HostKeyEntry,
        _ earlier: Set<UInt64>,
        at time: UInt64,
        _ isShared: (HostKeyEntry) -> Bool
    ) -> String? {
        guard let host = line.host, host.names.isHashed, !line.mayWait else { return nil }
        let rivals = entries.filter { entry in
            guard earlier.contains(entry.sequence), let other = entry.currentHost else { return false }
            return other.names == host.names && !other.key.isSameKey(as: host.key)
        }
        let compared = rivals.first(where: \.isCompared)
        if !line.isCompared, let winner = compared?.host?.key {
            end(line.sequence, as: .replaced(at: time, by: winner.fingerprint))
        } else if !rivals.contains(where: isShared) {
            for rival in rivals { end(rival.sequence, as: .replaced(at: time, by: host.key.fingerprint)) }
        } else if compared == nil {
            return nil
        }
        return rivals.isEmpty ? nil : String(decoding: host.names.text, as: UTF8.self)
    }

    /// Ends lines that waited for a name if a line ended that counted for it.
    ///
    /// A line with a hashed name or a pattern may have counted for any plain name that was known.
    mutating func endWaiting(
        since before: HostKeyBook,
        _ ended: Set<UInt64>,
        _ fresh: [HostKeyEntry],
        at time: UInt64
    ) throws(SSHFormatError) {
        let late = before.entries.filter { $0.isCurrent && $0.mayWait }
        guard !ended.isEmpty, !late.isEmpty else { return }
        let known = HostKeyIndex(before.entries)
        var names = Set(fresh.flatMap { $0.host?.names.plainNames ?? [] })
        for host in before.entries.filter({ ended.contains($0.sequence) }).compactMap(\.host) {
            names.formUnion(host.names.plainNames ?? known.named(by: host.names))
        }
        for name in names where late.contains(where: { $0.isTrust(for: name) }) {
            let trusted = before.trusted(for: name)
            let waiting = HostKeyEntry.waiting(among: trusted, for: name)
            guard
                let last = trusted.last(where: { line in
                    ended.contains(line.sequence) && !waiting.contains(line.sequence)
                })
            else { continue }
            guard let key = last.host?.key else { continue }
            var state = HostKeyEntry.State.replaced(at: time, by: key.fingerprint)
            switch entry(last.sequence)?.state {
            case .replaced(let time, let by): state = .replaced(at: time, by: by)
            case .removed(let time): state = .replaced(at: time, by: key.fingerprint)
            case .current, nil: break
            }
            for line in waiting where entry(line)?.isTrust(for: name) == true {
                _ = try detach(name, from: line, as: state)
            }
        }
    }

    /// Gives lines that may have to wait a time after all others, in the order in which they came elsewhere.
    mutating func delay(_ fresh: [[HostKeyEntry]], at time: UInt64) {
        let late = Set(fresh.flatMap(\.self).filter(\.mayWait).map(\.sequence))
        guard !late.isEmpty else { return }
        let latest = entries.lazy.filter { !late.contains($0.sequence) }.map(\.firstSeen).max()
        var moment = max(time, latest.map { $0 + 1 } ?? 0)
        for change in fresh {
            var lines = Dictionary(grouping: change.filter(\.mayWait), by: \.firstSeen)
            for second in lines.keys.sorted() {
                for line in lines.removeValue(forKey: second) ?? [] {
                    guard let index = index(of: line.sequence) else { continue }
                    entries[index].firstSeen = min(moment, UInt64(UInt32.max))
                }
                moment += 1
            }
        }
    }
}

extension HostKeyBook {
    /// Gives lines that came, and do not name their hosts one by one, a time before the lines that may have to wait.
    ///
    /// Whether they are about the same host is seen when it is looked up: only the line that came counts then.
    private mutating func advance(_ fresh: [HostKeyEntry], before earlier: Set<UInt64>) {
        let waiting = entries.lazy.filter { earlier.contains($0.sequence) && $0.mayWait }
        guard let first = waiting.map(\.firstSeen).min(), first > 0 else { return }
        for line in fresh where !line.mayWait && line.host?.names.plainNames == nil {
            guard let index = index(of: line.sequence) else { continue }
            entries[index].firstSeen = min(entries[index].firstSeen, first - 1)
        }
    }
}

extension HostKeyEntry {
    /// Whether a person compared the key, and nothing was restored since.
    package var isCompared: Bool { source == .compared && !isUncompared }

    /// Whether an import brought it and it does not name its hosts one by one, so that it may have to wait
    /// (`HostKeyClaim`).
    package var mayWait: Bool {
        guard let host, host.marker == nil else { return false }
        return HostKeyClaim(host, firstSeen: firstSeen, source: source).isUncompared
    }
}
