package import SharedLog
internal import VaultCrypto

/// Machines, the server between them, and everything that it ever got: the product's reducer decides.
package struct MachinesWorld: Sendable {
    let mistake: MachinesMistake?
    var machines: [LogMachine] = []
    /// The line as an honest server has it.
    var line: [UInt64: [UInt8]] = [:]
    /// Everything that it ever got, also for places that were taken.
    var ever: [[UInt8]] = []
    /// What each copy of a vault was.
    var copies: [Int: LogMachine] = [:]
    /// Removed machines as they were before, and the epoch in which they were.
    var removed: [Int: LogMachine] = [:]
    /// The server has shown something else than its line.
    var isHostile = false
    /// The first promise that was broken.
    package internal(set) var flaw: MachinesFlaw?
    /// Why an entry or a step was refused last.
    package internal(set) var refusal: LogError?

    /// The values that people typed, and those that a person has replaced knowingly.
    var typed: Set<String> = []
    var replaced: Set<String> = []
    /// Who signed what behind which entry.
    var signed: [[UInt8]: [UInt8]] = [:]
    /// Hashes of entries that a member wrote when it was one.
    var honest: Set<[UInt8]> = []
    /// The digest of the state behind an entry, by its hash.
    var digests: [[UInt8]: [UInt8]] = [:]
    var keys: [UInt32: Secret] = [:]
    /// Where machines were removed, and the epoch that they knew.
    var removals: [MachineID: (place: UInt64, epoch: UInt32)] = [:]

    /// A log that the first machine has founded, and all but the last, who may join later, are members of.
    ///
    /// - Throws: an error of the log, which is a fault of the product.
    package init(
        machines count: Int,
        withLast: Bool = true,
        mistake: MachinesMistake? = nil
    ) throws(LogError) {
        self.mistake = mistake
        for number in 0..<count {
            machines.append(
                LogMachine(number: number, keys: try MachineKeys(entropy: .seeded([9, UInt8(number)])))
            )
        }
        let log = LogID(digest: [UInt8](repeating: 5, count: 16))
        let founded = try LogBook.founding(log, name: "machine0", objects: [], machines[0].signer())
        machines[0].book = founded.book
        for entry in founded.entries { keep(entry, by: 0) }
        for entry in founded.entries { store(entry.bytes) }
        remember(0)
        for other in 1..<count where withLast || other < count - 1 {
            try admit(other, by: 0)
            perform(.send(0))
            perform(.read(0))
            try admit(other, by: 0)
            try join(other)
        }
    }

    // MARK: Steps

    /// Does one step; false if it cannot be done here, or changes nothing.
    @discardableResult
    package mutating func perform(_ step: MachinesStep) -> Bool {
        do throws(LogError) {
            switch step {
            case .edit(let who, let record, let field): return edit(who, record, field)
            case .delete(let who, let record): return delete(who, record)
            case .rename(let who, let record): return rename(who, record)
            case .write(let who): return try write(who)
            case .send(let who): return send(who)
            case .sendPart(let who): return send(who, maximum: 1)
            case .read(let who): return try read(who)
            case .remove(let who, let other): return try remove(other, by: who)
            case .admit(let who):
                guard machines[machines.count - 1].book == nil else { return false }
                try admit(machines.count - 1, by: who)
                return true
            case .join:
                guard machines[machines.count - 1].book == nil else { return false }
                try join(machines.count - 1)
                return true
            case .compact(let who): return try compact(who)
            case .trim(let who): return trim(who)
            case .backup(let who):
                copies[who] = machines[who]
                return true
            case .restore(let who): return restore(who)
            case .show(let who, let entry): return try show(entry, to: who)
            case .forge(let who): return try forge(for: who)
            }
        } catch {
            refusal = error
            return false
        }
    }

    mutating func edit(_ who: Int, _ record: Int, _ field: Int) -> Bool {
        guard machines[who].writes else { return false }
        var fields = machines[who].records[record] ?? ["record\(record)", "", ""]
        if !fields[field + 1].isEmpty { replaced.insert(fields[field + 1]) }
        machines[who].edits += 1
        fields[field + 1] = "\(who).\(machines[who].edits)\(machines[who].wasRestored ? "r" : "")"
        typed.insert(fields[field + 1])
        machines[who].records[record] = fields
        return true
    }

    mutating func delete(_ who: Int, _ record: Int) -> Bool {
        guard machines[who].writes, let fields = machines[who].records[record] else { return false }
        replaced.formUnion(fields)
        machines[who].records[record] = nil
        return true
    }

    mutating func rename(_ who: Int, _ record: Int) -> Bool {
        guard machines[who].writes, machines[who].records[record] != nil,
            !machines[who].records.values.contains(where: { $0[0] == "shared" })
        else { return false }
        machines[who].records[record]?[0] = "shared"
        return true
    }

    mutating func write(_ who: Int) throws(LogError) -> Bool {
        guard let book = machines[who].book, machines[who].writes, machines[who].out.isEmpty else {
            return false
        }
        let hidesAnchor = mistake == .forgetsAnchor
        if !hidesAnchor, let anchor = machines[who].anchor, anchor.place > book.head.place { return false }
        if book.awaitsRekey, mistake != .writesBehindRemoval {
            guard machines[who].isKeeper else { return false }
            put(out: [try book.rekey(.removal, machines[who].signer([1]))], who)
            return true
        }
        if let open = book.compaction, open.author == machines[who].id, !machines[who].slices.isEmpty,
            open.next < machines[who].slices.count
        {
            let slice = machines[who].slices[open.next]
            put(out: [try book.snapshotPart(slice, machines[who].signer([2]))], who)
            return true
        }
        let operations = try machines[who].changes(mistake)
        guard !operations.isEmpty else { return false }
        machines[who].sentIndex = [:]
        for (record, fields) in machines[who].records {
            machines[who].sentIndex[record] = LogMachine.digests(fields)
        }
        let salt = mistake == .signsAgain ? [UInt8(truncatingIfNeeded: ever.count)] : []
        put(out: try book.change(operations, machines[who].signer([4] + salt)), who)
        return true
    }

    mutating func put(out entries: [WrittenEntry], _ who: Int) {
        machines[who].out = entries
        for entry in entries { keep(entry, by: who) }
        if let anchor = machines[who].anchor, let first = entries.first, first.head.place <= anchor.place {
            flaw = flaw ?? .wroteBelowAnchor
        }
    }

    /// Remembers who signed it, and that a member did.
    mutating func keep(_ entry: WrittenEntry, by who: Int) {
        honest.insert(entry.head.hash)
        guard !machines[who].wasRestored else { return }
        let behind = [UInt8(who)] + entry.bytes[24..<64]
        if let other = signed[behind], other != entry.head.hash { flaw = flaw ?? .signedTwice }
        signed[behind] = entry.head.hash
    }

    mutating func send(_ who: Int, maximum: Int = .max) -> Bool {
        guard let first = machines[who].out.first else { return false }
        let entries = machines[who].out.prefix(maximum)
        for entry in entries where !ever.contains(entry.bytes) { ever.append(entry.bytes) }
        if mistake == .indexWhenSent {
            for (record, digests) in machines[who].sentIndex { machines[who].index[record] = digests }
        }
        if mistake == .signsAgain { machines[who].out = [] }
        guard line[first.head.place] == nil, first.head.place == 1 || line[first.head.place - 1] != nil else {
            return true
        }
        for entry in entries { line[entry.head.place] = entry.bytes }
        return true
    }

    mutating func store(_ bytes: [UInt8]) {
        guard let frame = try? EntryFrame(bytes) else { return }
        ever.append(bytes)
        line[frame.place] = bytes
    }

    mutating func read(_ who: Int) throws(LogError) -> Bool {
        guard let book = machines[who].book, book.key != nil else { return false }
        let next = book.head.place + 1
        if let entry = line[next] {
            try take(entry, who)
            return true
        }
        guard let oldest = line.keys.min(), oldest > next else { return false }
        try readSegment(who, line.keys.sorted().compactMap { line[$0] })
        return true
    }

    mutating func take(_ entry: [UInt8], _ who: Int) throws(LogError) {
        guard var book = machines[who].book else { return }
        var facts = machines[who].facts(mistake)
        if mistake == .signsAgain { facts.wasRestored = true }
        let taken: AcceptedEntry
        do throws(LogError) {
            taken = try book.take(entry, facts)
        } catch {
            machines[who].refusal = error
            throw error
        }
        if book.epoch != machines[who].book?.epoch, mistake == .keepsKeys, let old = machines[who].book?.key {
            machines[who].keptKeys.append(old)
        }
        if mistake == .writesBehindRemoval { book = book.rewritten(awaitsRekey: false) }
        machines[who].book = book
        follow(taken, who)
    }

    /// What an entry does to the records of a machine.
    mutating func follow(_ taken: AcceptedEntry, _ who: Int) {
        machines[who].refusal = nil
        if !honest.contains(taken.head.hash) { flaw = flaw ?? .forgedTaken }
        switch taken.effect {
        case .change(let operations):
            for operation in operations {
                switch operation {
                case .put(let object):
                    machines[who].take(object, isOwn: taken.isOwn, isSnapshot: false, mistake)
                case .delete(let id): machines[who].delete(id, isOwn: taken.isOwn, mistake)
                case .remove(let id, _):
                    removals[id] = (taken.head.place, epoch(of: taken))
                default: break
                }
            }
        case .revoked: removals[machines[who].id] = (taken.head.place, epoch(of: taken))
        case .snapshotPart(isLast: true) where taken.isOwn: machines[who].slices = []
        default: break
        }
        machines[who].out.removeAll { $0.head.place <= taken.head.place }
        // What was to stand behind another entry never will.
        if !taken.isOwn { machines[who].out = [] }
        remember(who)
    }

    func epoch(of taken: AcceptedEntry) -> UInt32 {
        let entry = ever.first { LogHead.hash(of: $0) == taken.head.hash }
        return entry.flatMap { try? EntryFrame($0).epoch } ?? 0
    }

    /// Raises the file beside the vault, and compares with what others saw at this place.
    mutating func remember(_ who: Int) {
        guard let book = machines[who].book else { return }
        if machines[who].anchor.map({ $0.place < book.head.place }) ?? true {
            machines[who].anchor = book.head
        }
        let digest = book.state.digest(epoch: book.epoch)
        if let other = digests[book.head.hash], other != digest { flaw = flaw ?? .comparisonWrong }
        digests[book.head.hash] = digest
        keys[book.epoch] = book.key ?? keys[book.epoch]
        let names = book.state.objectIDs.compactMap { book.state[$0] }.filter { $0.kind == 1 }.map(\.name)
        if Set(names).count != names.count { flaw = flaw ?? .nameTwice }
    }

    mutating func readSegment(_ who: Int, _ entries: [[UInt8]]) throws(LogError) {
        guard let old = machines[who].book else { return }
        let reader: LogSegment.Reader =
            mistake == .noCertificates ? .recovering(old.machine, log: old.log) : .late(old)
        var facts = machines[who].facts(mistake)
        if mistake == .noCertificates { facts.anchor = nil }
        let segment: LogSegment
        do throws(LogError) {
            segment = try LogSegment(entries, for: reader, facts)
        } catch {
            machines[who].refusal = error
            throw error
        }
        follow(segment, who)
    }

    mutating func follow(_ segment: LogSegment, _ who: Int) {
        var book = segment.book
        if mistake == .forgetsChain {
            book = book.rewritten(chain: ChainList(endingAt: book.head.place, [book.head.hash]))
        }
        if mistake == .keepsKeys, let key = machines[who].book?.key { machines[who].keptKeys.append(key) }
        machines[who].book = book
        for (_, object) in segment.objects {
            machines[who].take(object, isOwn: false, isSnapshot: true, mistake)
        }
        let shown = Set(segment.objects.map(\.object.id))
        for record in machines[who].index.keys.sorted() where !shown.contains(LogMachine.id(record)) {
            machines[who].delete(LogMachine.id(record), isOwn: false, mistake)
        }
        if let compaction = segment.taken.first.map({ $0.head.place - 1 }) ?? Optional(book.head.place),
            let frame = line[compaction].flatMap({ try? EntryFrame($0) }), !honest.contains(frame.head.hash)
        {
            flaw = flaw ?? .forgedTaken
        }
        for taken in segment.taken { follow(taken, who) }
        remember(who)
    }

    /// Everything that tells two worlds apart.
    package var key: [String] {
        machines.map { machine in
            "\(machine.book?.head.hash ?? []) \(machine.records.sorted { $0.key < $1.key }) "
                + "\(machine.index.mapValues { $0.map(\.bytes) }.sorted { $0.key < $1.key }) "
                + "\(machine.out.map(\.head.hash)) \(machine.losses.sorted()) \(machine.wasRestored) "
                + "\(machine.anchor?.place ?? 0)"
        } + [
            "\(line.keys.min() ?? 0) \(line.keys.max() ?? 0) \(ever.map { LogHead.hash(of: $0) })",
            "\(flaw?.rawValue ?? "")",
        ]
    }
}
