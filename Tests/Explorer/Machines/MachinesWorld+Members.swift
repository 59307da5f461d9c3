internal import SharedLog
internal import VaultCrypto

/// Removing, admitting and joining, compactions, restores, and what a hostile server does.
extension MachinesWorld {
    mutating func remove(_ other: Int, by who: Int) throws(LogError) -> Bool {
        guard let book = machines[who].book, machines[who].isKeeper, machines[who].out.isEmpty,
            !book.awaitsRekey, book.state.members[machines[other].id] != nil, !isBelowAnchor(who)
        else { return false }
        let entries = try book.removal(of: machines[other].id, reason: 2, machines[who].signer([5]))
        removed[other] = removed[other] ?? machines[other]
        put(out: entries, who)
        return true
    }

    func isBelowAnchor(_ who: Int) -> Bool {
        guard let anchor = machines[who].anchor, let book = machines[who].book else { return false }
        return anchor.place > book.head.place
    }

    /// Lets a machine in; once that is in the log, makes its ADMIT.
    mutating func admit(_ other: Int, by who: Int) throws(LogError) {
        guard let book = machines[who].book, let key = book.key, machines[who].isKeeper,
            machines[who].out.isEmpty, !isBelowAnchor(who), !book.awaitsRekey
        else { throw LogError(.notAllowed) }
        guard book.state.members[machines[other].id] == nil else {
            guard book.mayAdmit || mistake == .admitsEarly else { throw LogError(.notAllowed) }
            machines[other].admission = (book.head, book.epoch, key)
            return
        }
        let admission = try LogOperation.Admission(
            signKey: machines[other].keys.signKey,
            boxKey: machines[other].keys.boxKey,
            role: .keeper,
            name: "machine\(other)",
            log: book.log,
            by: machines[who].keys
        )
        put(out: try book.change([.add(admission)], machines[who].signer([6])), who)
    }

    mutating func join(_ other: Int, _ forged: [[UInt8]]? = nil) throws(LogError) {
        guard let admission = machines[other].admission, let log = machines[0].book?.log else {
            throw LogError(.notAllowed)
        }
        let entries = forged ?? line.keys.sorted().compactMap { line[$0] }
        let starts = entries.indices.filter { index in
            guard let frame = try? EntryFrame(entries[index]) else { return false }
            return frame.boxes != nil && frame.place <= max(admission.head.place, forged == nil ? 0 : .max)
        }
        var last = LogError(
            line.keys.min().map { $0 > admission.head.place } == true ? .admitOutdated : .logBehind
        )
        for start in starts.reversed() {
            do throws(LogError) {
                let reader: LogSegment.Reader =
                    mistake == .anchorInList && forged != nil
                    ? .recovering(machines[other].id, log: log)
                    : .joining(
                        machines[other].id,
                        log: log,
                        admitted: admission.head,
                        epoch: admission.epoch,
                        key: admission.key
                    )
                let facts = machines[other].facts(mistake)
                let segment = try LogSegment(Array(entries[start...]), for: reader, facts)
                follow(segment, other)
                if forged != nil { flaw = flaw ?? .forgedTaken }
                return
            } catch {
                last = error
            }
        }
        throw last
    }

    mutating func compact(_ who: Int) throws(LogError) -> Bool {
        guard let book = machines[who].book, machines[who].isKeeper, machines[who].out.isEmpty,
            !book.awaitsRekey, !isBelowAnchor(who), try machines[who].changes(nil).isEmpty
        else { return false }
        // Slices as the state's bytes are, from the records: they are what the log has.
        guard let slices = try machines[who].snapshot(book, ever) else { return false }
        machines[who].slices = slices
        put(out: [try book.compaction(parts: slices.count, machines[who].signer([7]))], who)
        return true
    }

    mutating func trim(_ who: Int) -> Bool {
        guard let book = machines[who].book else { return false }
        var place = book.newestWhole
        if mistake == .trimsEarly, let open = book.compaction { place = open.place }
        guard let oldest = line.keys.min(), place > oldest, line[place] != nil else { return false }
        line = line.filter { $0.key >= place }
        return true
    }

    mutating func restore(_ who: Int) -> Bool {
        guard var copy = copies[who] else { return false }
        // What was changed since the copy is lost with the disk, which everybody is told.
        for fields in machines[who].records.values { replaced.formUnion(fields) }
        for value in typed where value.hasPrefix("\(who).") { replaced.insert(value) }
        copy.anchor = machines[who].anchor
        copy.edits = machines[who].edits
        copy.wasRestored = true
        machines[who] = copy
        return true
    }

    mutating func show(_ number: Int, to who: Int) throws(LogError) -> Bool {
        guard number < ever.count, let book = machines[who].book, book.key != nil,
            let frame = try? EntryFrame(ever[number])
        else { return false }
        if line[frame.place] != ever[number] { isHostile = true }
        try take(ever[number], who)
        return true
    }

    /// A machine that was removed compacts the log as it knew it, for everybody; the server shows that.
    mutating func forge(for who: Int) throws(LogError) -> Bool {
        guard let (_, spy) = removed.first, var book = spy.book, book.compaction == nil, who != spy.number,
            spy.isKeeper
        else { return false }
        isHostile = true
        let signer = spy.signer([8])
        var facts = EntryContext(boxSecrets: [spy.keys.boxSecret], generation: 1)
        facts.wasRestored = true
        if book.state.members[machines[who].id] == nil {
            let admission = try LogOperation.Admission(
                signKey: machines[who].keys.signKey,
                boxKey: machines[who].keys.boxKey,
                role: .keeper,
                name: "forged",
                log: book.log,
                by: spy.keys
            )
            for entry in try book.change([.add(admission)], signer) { _ = try book.take(entry.bytes, facts) }
        }
        // The server tells it the heads that it needs: its list is as good as any.
        var isKnown = true
        if let victim = machines[who].book {
            book = book.rewritten(head: victim.head, chain: victim.chain)
            isKnown = victim.state.former[spy.id] != nil
        }
        guard let slices = try spy.snapshot(book, ever) else { return false }
        let first = try book.compaction(parts: slices.count, signer)
        var entries = [first.bytes]
        _ = try book.take(first.bytes, facts)
        for slice in slices {
            let part = try book.snapshotPart(slice, signer)
            _ = try book.take(part.bytes, facts)
            entries.append(part.bytes)
        }
        // Who has not heard of the removal is shown a fork, which a comparison of heads tells.
        if !isKnown { honest.formUnion(entries.map(LogHead.hash)) }
        if machines[who].book == nil { try join(who, entries) } else { try readSegment(who, entries) }
        return true
    }
}
