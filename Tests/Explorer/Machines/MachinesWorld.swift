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
    package private(set) var flaw: MachinesFlaw?
    /// Why an entry or a step was refused last.
    package private(set) var refusal: LogError?

    /// The values that people typed, and those that a person has replaced knowingly.
    var typed: Set<String> = []
    var replaced: Set<String> = []
    /// Who signed what behind which entry.
    private var signed: [[UInt8]: [UInt8]] = [:]
    /// Hashes of entries that a member wrote when it was one.
    private var honest: Set<[UInt8]> = []
    /// The digest of the state behind an entry, by its hash.
    private var digests: [[UInt8]: [UInt8]] = [:]
    private var keys: [UInt32: Secret] = [:]
    /// Where machines were removed, and the epoch that they knew.
    private var removals: [MachineID: (place: UInt64, epoch: UInt32)] = [:]

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

    private mutating func edit(_ who: Int, _ record: Int, _ field: Int) -> Bool {
        guard machines[who].writes else { return false }
        var fields = machines[who].records[record] ?? ["record\(record)", "", ""]
        if !fields[field + 1].isEmpty { replaced.insert(fields[field + 1]) }
        machines[who].edits += 1
        fields[field + 1] = "\(who).\(machines[who].edits)\(machines[who].wasRestored ? "r" : "")"
        typed.insert(fields[field + 1])
        machines[who].records[record] = fields
        return true
    }

    private mutating func delete(_ who: Int, _ record: Int) -> Bool {
        guard machines[who].writes, let fields = machines[who].records[record] else { return false }
        replaced.formUnion(fields)
        machines[who].records[record] = nil
        return true
    }

    private mutating func rename(_ who: Int, _ record: Int) -> Bool {
        guard machines[who].writes, machines[who].records[record] != nil,
            !machines[who].records.values.contains(where: { $0[0] == "shared" })
        else { return false }
        machines[who].records[record]?[0] = "shared"
        return true
    }

    private mutating func write(_ who: Int) throws(LogError) -> Bool {
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

    private mutating func put(out entries: [WrittenEntry], _ who: Int) {
        machines[who].out = entries
        for entry in entries { keep(entry, by: who) }
        if let anchor = machines[who].anchor, let first = entries.first, first.head.place <= anchor.place {
            flaw = flaw ?? .wroteBelowAnchor
        }
    }

    /// Remembers who signed it, and that a member did.
    private mutating func keep(_ entry: WrittenEntry, by who: Int) {
        honest.insert(entry.head.hash)
        guard !machines[who].wasRestored else { return }
        let behind = [UInt8(who)] + entry.bytes[24..<64]
        if let other = signed[behind], other != entry.head.hash { flaw = flaw ?? .signedTwice }
        signed[behind] = entry.head.hash
    }

    private mutating func send(_ who: Int, maximum: Int = .max) -> Bool {
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

    private mutating func store(_ bytes: [UInt8]) {
        guard let frame = try? EntryFrame(bytes) else { return }
        ever.append(bytes)
        line[frame.place] = bytes
    }

    private mutating func read(_ who: Int) throws(LogError) -> Bool {
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

    private mutating func take(_ entry: [UInt8], _ who: Int) throws(LogError) {
        guard var book = machines[who].book else { return }
        var facts = machines[who].facts(mistake)
        if mistake == .signsAgain { facts.wasRestored = true }
        let taken: TakenEntry
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
    private mutating func follow(_ taken: TakenEntry, _ who: Int) {
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

    private func epoch(of taken: TakenEntry) -> UInt32 {
        let entry = ever.first { LogHead.hash(of: $0) == taken.head.hash }
        return entry.flatMap { try? EntryFrame($0).epoch } ?? 0
    }

    /// Raises the file beside the vault, and compares with what others saw at this place.
    private mutating func remember(_ who: Int) {
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

    private mutating func readSegment(_ who: Int, _ entries: [[UInt8]]) throws(LogError) {
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

    private mutating func follow(_ segment: LogSegment, _ who: Int) {
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

    private mutating func remove(_ other: Int, by who: Int) throws(LogError) -> Bool {
        guard let book = machines[who].book, machines[who].isKeeper, machines[who].out.isEmpty,
            !book.awaitsRekey, book.state.members[machines[other].id] != nil, !isBelowAnchor(who)
        else { return false }
        let entries = try book.removal(of: machines[other].id, reason: 2, machines[who].signer([5]))
        removed[other] = removed[other] ?? machines[other]
        put(out: entries, who)
        return true
    }

    private func isBelowAnchor(_ who: Int) -> Bool {
        guard let anchor = machines[who].anchor, let book = machines[who].book else { return false }
        return anchor.place > book.head.place
    }

    /// Lets a machine in; once that is in the log, makes its ADMIT.
    private mutating func admit(_ other: Int, by who: Int) throws(LogError) {
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

    private mutating func join(_ other: Int, _ forged: [[UInt8]]? = nil) throws(LogError) {
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

    private mutating func compact(_ who: Int) throws(LogError) -> Bool {
        guard let book = machines[who].book, machines[who].isKeeper, machines[who].out.isEmpty,
            !book.awaitsRekey, !isBelowAnchor(who), try machines[who].changes(nil).isEmpty
        else { return false }
        // Slices as the state's bytes are, from the records: they are what the log has.
        guard let slices = try machines[who].snapshot(book, ever) else { return false }
        machines[who].slices = slices
        put(out: [try book.compaction(parts: slices.count, machines[who].signer([7]))], who)
        return true
    }

    private mutating func trim(_ who: Int) -> Bool {
        guard let book = machines[who].book else { return false }
        var place = book.newestWhole
        if mistake == .trimsEarly, let open = book.compaction { place = open.place }
        guard let oldest = line.keys.min(), place > oldest, line[place] != nil else { return false }
        line = line.filter { $0.key >= place }
        return true
    }

    private mutating func restore(_ who: Int) -> Bool {
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

    private mutating func show(_ number: Int, to who: Int) throws(LogError) -> Bool {
        guard number < ever.count, let book = machines[who].book, book.key != nil,
            let frame = try? EntryFrame(ever[number])
        else { return false }
        if line[frame.place] != ever[number] { isHostile = true }
        try take(ever[number], who)
        return true
    }

    /// A machine that was removed compacts the log as it knew it, for everybody; the server shows that.
    private mutating func forge(for who: Int) throws(LogError) -> Bool {
        guard let (_, spy) = removed.first, var book = spy.book, book.compaction == nil, who != spy.number,
            spy.isKeeper
        else { return false }
        isHostile = true
        let signer = spy.signer([8])
        var facts = TakingFacts(boxSecrets: [spy.keys.boxSecret], generation: 1)
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

    // MARK: The end

    /// From here on the server is honest and everybody syncs: what must then hold.
    package mutating func settle() {
        guard flaw == nil, !isHostile else { return }
        for _ in 0..<16 {
            var moved = false
            for who in machines.indices {
                while perform(.read(who)) { moved = true }
                if perform(.write(who)) { moved = true }
                if perform(.send(who)) { while perform(.read(who)) { moved = true } }
            }
            if !moved { break }
        }
        judgeEnd()
    }

    private mutating func judgeEnd() {
        guard flaw == nil else { return }
        let newest = line.keys.max() ?? 0
        let active = machines.filter { machine in
            machine.book?.key != nil && removed[machine.number] == nil
        }
        for machine in active {
            if machine.book?.head.place != newest || machine.refusal != nil { flaw = .stuck }
        }
        if let last = machines.last, last.admission != nil, last.book == nil, removed[last.number] == nil {
            // An ADMIT that is too old is made again.
            do throws(LogError) { try join(last.number) } catch  where error.reason != .admitOutdated {
                flaw = flaw ?? .stuck
            } catch {}
        }
        guard flaw == nil else { return }
        if Set(active.map { $0.book?.state.digest(epoch: $0.book?.epoch ?? 0) }).count > 1
            || Set(active.map(\.records)).count > 1
        {
            flaw = .statesDiffer
        }
        var kept = replaced
        for machine in active { for fields in machine.records.values { kept.formUnion(fields) } }
        for value in typed.subtracting(kept) where !isInConflict(value) && !isOfRemoved(value) {
            flaw = flaw ?? .changeLost
        }
        judgeSecrecy(active)
    }

    private func isOfRemoved(_ value: String) -> Bool {
        removed.keys.contains { value.hasPrefix("\($0).") }
    }

    private func isInConflict(_ value: String) -> Bool {
        guard let lost = try? Secret(copying: Array(value.utf8)) else { return false }
        return machines.contains { machine in
            guard let book = machine.book else { return false }
            return machines.contains { other in
                let conflict = try? ConflictObject(
                    object: LogMachine.id(0),
                    kind: 1,
                    machine: other.id,
                    time: 1,
                    reason: 0,
                    lost: lost
                )
                return conflict.map { book.state[$0.id] != nil } ?? false
            }
        }
    }

    /// What was removed opens nothing newer, and what was wiped is opened by nothing that is held.
    private mutating func judgeSecrecy(_ active: [LogMachine]) {
        let frames = ever.compactMap { try? EntryFrame($0) }.filter {
            line[$0.place] == $0.bytes || $0.boxes != nil
        }
        for (_, machine) in removed {
            guard let removal = removals[machine.id] else { continue }
            for frame in frames where line[frame.place] == frame.bytes && frame.place > removal.place {
                if frame.epoch <= removal.epoch || opens(frame, machine, [machine.keys.boxSecret]) {
                    flaw = flaw ?? .removedReads
                }
            }
        }
        guard let whole = active.first?.book?.newestWhole, whole > 1 else { return }
        // A vault that was put back has the secrets of its copy. A box opens as long as its machine is a member, so only
        // keys are wiped.
        for machine in active where !machine.wasRestored {
            for frame in frames where frame.place < whole && frame.boxes != nil {
                for key in machine.keptKeys {
                    if let known = keys[frame.epoch], ConstantTime.equal(known, key) {
                        flaw = flaw ?? .notWiped
                    }
                }
            }
        }
    }

    private func opens(_ frame: EntryFrame, _ machine: LogMachine, _ secrets: [Secret]) -> Bool {
        secrets.contains { secret in
            (try? frame.boxes?.key(for: machine.id, secret, in: frame)).flatMap { $0 } != nil
        }
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
