import SharedLog
import Testing
import VaultCrypto

/// What a machine does not take, even well signed.
struct LogRefusalTests {
    @Test func `a change in parts has its effect with the last of them`() throws {
        var sample = try LogSample()
        var other = try sample.second()
        let object = try LogSample.object(1, size: 1_000)
        let entries = try sample.book.change([.put(object)], sample.signer(0), partSize: 400)
        #expect(entries.count == 3)
        for entry in entries.dropLast() {
            guard case .unfinished = try other.take(entry.bytes, LogSample.facts(sample.keys[1])).effect
            else {
                Issue.record("not a part")
                return
            }
            #expect(other.state.objectCount == 0)
        }
        let last = try other.take(entries[2].bytes, LogSample.facts(sample.keys[1]))
        guard case .change(let operations) = last.effect, case .put(let taken) = operations.first else {
            Issue.record("not a change")
            return
        }
        #expect(ConstantTime.equal(taken.content, object.content))
        #expect(other.state[object.id]?.place == entries[2].head.place)
        _ = try sample.book.take(entries[0].bytes, LogSample.facts(sample.keys[0], sent: entries))
    }

    @Test func `a change that another entry interrupts has no effect`() throws {
        let sample = try LogSample()
        var other = try sample.second()
        let facts = LogSample.facts(sample.keys[1])
        let parts = try sample.book.change(
            [.put(try LogSample.object(1, size: 1_000))],
            sample.signer(0),
            partSize: 400
        )
        _ = try other.take(parts[0].bytes, facts)
        let own = try other.change([.put(try LogSample.object(2))], sample.signer(1))
        _ = try other.take(own[0].bytes, LogSample.facts(sample.keys[1], sent: own))
        #expect(other.unfinished == nil && other.state.objectCount == 1)
        #expect(throws: LogError.self) { try other.take(parts[1].bytes, facts) }
    }

    @Test func `behind a removal nothing is taken but a rekey`() throws {
        var sample = try LogSample()
        let removal = try sample.book.removal(of: sample.keys[1].id, reason: 1, sample.signer(0))
        let facts = LogSample.facts(sample.keys[0], sent: removal)
        _ = try sample.book.take(removal[0].bytes, facts)
        #expect(sample.book.awaitsRekey && !sample.book.mayAdmit)
        #expect(throws: LogError(.notAllowed)) {
            try sample.book.change([.put(try LogSample.object(1))], sample.signer(0))
        }
        _ = try sample.book.take(removal[1].bytes, facts)
        #expect(sample.book.epoch == 2 && !sample.book.awaitsRekey)
        #expect(sample.book.state.former[sample.keys[1].id] != nil)
    }

    @Test func `a removed machine finds no box in the rekey behind it`() throws {
        let sample = try LogSample()
        var other = try sample.second()
        let removal = try sample.book.removal(of: sample.keys[1].id, reason: 1, sample.signer(0))
        let boxes = try #require(try EntryFrame(removal[1].bytes).boxes)
        #expect(boxes.boxes.count == 8)
        let key = try boxes.key(
            for: sample.keys[1].id,
            sample.keys[1].boxSecret,
            in: try EntryFrame(removal[1].bytes)
        )
        #expect(key == nil)
        let taken = try other.take(removal[0].bytes, LogSample.facts(sample.keys[1]))
        guard case .revoked(reason: 1) = taken.effect else {
            Issue.record("not revoked")
            return
        }
        #expect(other.key == nil)
    }

    @Test func `an entry of this machine that it does not remember is a clone's`() throws {
        let sample = try LogSample()
        var book = sample.book
        let entries = try book.change([.put(try LogSample.object(1))], sample.signer(0))
        var facts = LogSample.facts(sample.keys[0])
        #expect(throws: LogError(.machineCloned, at: 4, by: sample.keys[0].id)) {
            try book.take(entries[0].bytes, facts)
        }
        facts.wasRestored = true
        let taken = try book.take(entries[0].bytes, facts)
        #expect(!taken.isOwn && taken.author == sample.keys[0].id, "merged like that of another machine")
    }

    @Test func `an entry of a later time of this vault tells of a rollback`() throws {
        let sample = try LogSample()
        var book = sample.book
        let entries = try book.change([.put(try LogSample.object(1))], sample.signer(0, generation: 9))
        #expect(throws: LogError(.vaultBehindLog, at: 4, by: sample.keys[0].id)) {
            try book.take(entries[0].bytes, LogSample.facts(sample.keys[0]))
        }
    }

    @Test(arguments: [[20], [21], [11, 10], [1, 20]])
    func `a person is asked when much goes in the entries of one sync`(counts: [Int]) throws {
        let objects = try (0..<60).map { try LogSample.object($0) }
        let sample = try LogSample(objects: objects, sliceSize: 700)
        var (book, other) = (sample.book, try sample.second())
        let before = other.state
        var (rest, taken) = (objects[...], [AcceptedEntry]())
        for count in counts {
            let change = try book.change(rest.prefix(count).map { .delete($0.id) }, sample.signer(0))
            rest = rest.dropFirst(count)
            _ = try book.take(change[0].bytes, LogSample.facts(sample.keys[0], sent: change))
            taken.append(try other.take(change[0].bytes, LogSample.facts(sample.keys[1])))
        }
        if counts == [20] {
            try other.checkRemovals(since: before, taken)
        } else {
            #expect(throws: LogError(.massRemoval, at: other.head.place)) {
                try other.checkRemovals(since: before, taken)
            }
        }
        #expect(book.state.digest(epoch: 1) == other.state.digest(epoch: 1))
        // Its own author has agreed already.
        try book.checkRemovals(since: before, taken)
    }

    @Test func `a person who was away is asked as well when much went`() throws {
        let objects = try (0..<60).map { try LogSample.object($0) }
        var sample = try LogSample(objects: objects)
        let other = try sample.second()
        let many = try sample.book.change(objects.prefix(21).map { .delete($0.id) }, sample.signer(0))
        _ = try sample.book.take(many[0].bytes, LogSample.facts(sample.keys[0], sent: many))
        let compaction = try sample.book.compaction(parts: 1, sample.signer(0))
        var stream = try StateStream.Writer(sample.book.state)
        var slices: [Secret] = []
        for object in objects.dropFirst(21) { slices += try stream.add(object, place: 1) }
        slices += try stream.finish()
        try #require(slices.count == 1)
        _ = try sample.book.take(compaction.bytes, LogSample.facts(sample.keys[0], sent: [compaction]))
        let part = try sample.book.snapshotPart(slices[0], sample.signer(0))
        let segment = try LogSegment(
            [compaction.bytes, part.bytes],
            for: .late(other),
            LogSample.facts(sample.keys[1])
        )
        #expect(segment.book.state.objectCount == 39)
        #expect(throws: LogError(.massRemoval, at: segment.book.head.place)) {
            try segment.book.checkRemovals(since: other.state, segment.taken, skipsSome: true)
        }
    }

    @Test func `an object has a name in normal form C`() throws {
        #expect(throws: LogError(.malformed)) { try LogSample.object(1, name: "re\u{301}sume\u{301}") }
        _ = try LogSample.object(1, name: "r\u{E9}sum\u{E9}")
    }

    @Test func `a place that the file beside the vault knows has its hash`() throws {
        let sample = try LogSample()
        var book = sample.book
        let entries = try book.change([.put(try LogSample.object(1))], sample.signer(0))
        var facts = LogSample.facts(sample.keys[0], sent: entries)
        facts.anchor = LogHead(place: 4, hash: [UInt8](repeating: 1, count: 32))
        #expect(throws: LogError(.logForked, at: 4)) { try book.take(entries[0].bytes, facts) }
    }

    @Test func `names may be exchanged in one change, and clash in none`() throws {
        let objects = try [LogSample.object(1, name: "a"), LogSample.object(2, name: "b")]
        let sample = try LogSample(objects: objects)
        let exchanged = try [LogSample.object(1, name: "b"), LogSample.object(2, name: "a")]
        #expect(try sample.book.change(exchanged.map { .put($0) }, sample.signer(0)).count == 1)
        #expect(throws: LogError(.nameTaken)) {
            try sample.book.change([.put(exchanged[0])], sample.signer(0))
        }
    }

    @Test func `the last keeper does not leave`() throws {
        var sample = try LogSample()
        let left = try sample.book.change([.leave], sample.signer(0))
        _ = try sample.book.take(left[0].bytes, LogSample.facts(sample.keys[0], sent: left))
        let other = try sample.second()
        var copy = other
        _ = try copy.take(left[0].bytes, LogSample.facts(sample.keys[1]))
        #expect(throws: LogError(.lastKeeper)) { try copy.change([.leave], sample.signer(1)) }
        #expect(throws: LogError(.notAllowed)) { try sample.book.change([.leave], sample.signer(0)) }
    }

    @Test func `a log that begins behind an ADMIT, or ends before it, is not joined`() throws {
        let sample = try LogSample()
        let facts = LogSample.facts(sample.keys[1])
        func reader(_ head: LogHead) -> LogSegment.Reader {
            .joining(
                sample.keys[1].id,
                log: sample.book.log,
                admitted: head,
                epoch: 1,
                key: sample.admissionKey
            )
        }
        let founding = sample.founding.map(\.bytes)
        #expect(throws: LogError(.logBehind, at: 3)) {
            try LogSegment(founding, for: reader(sample.admission.head), facts)
        }
        let other = LogHead(place: 3, hash: [UInt8](repeating: 1, count: 32))
        #expect(throws: LogError(.logForked, at: 3)) {
            try LogSegment(founding + [sample.admission.bytes], for: reader(other), facts)
        }
        #expect(throws: LogError(.admitOutdated, at: 1)) {
            try LogSegment(founding, for: reader(LogHead(place: 0, hash: other.hash)), facts)
        }
    }

    @Test func `who was away for too long, or on another branch, is told so`() throws {
        var sample = try LogSample()
        let other = try sample.second()
        let compaction = try sample.book.compaction(parts: 1, sample.signer(0))
        let facts = LogSample.facts(sample.keys[0], sent: [compaction])
        var stream = try StateStream.Writer(sample.book.state)
        let slice = try #require(try stream.finish().first)
        _ = try sample.book.take(compaction.bytes, facts)
        #expect(!sample.book.mayAdmit)
        let part = try sample.book.snapshotPart(slice, sample.signer(0))
        let entries = [compaction.bytes, part.bytes]
        #expect(throws: LogError.self) {
            try LogSegment([compaction.bytes], for: .late(other), LogSample.facts(sample.keys[1]))
        }
        var forked = LogSample.facts(sample.keys[1])
        forked.anchor = LogHead(place: 2, hash: [UInt8](repeating: 1, count: 32))
        #expect(throws: LogError(.logForked, at: 4, by: sample.keys[0].id)) {
            try LogSegment(entries, for: .late(other), forked)
        }
        forked.anchor = LogHead(place: 90, hash: [UInt8](repeating: 1, count: 32))
        #expect(throws: LogError(.logBehind, at: 90)) { try LogSegment(entries, for: .late(other), forked) }
        let taken = try LogSegment(entries, for: .late(other), LogSample.facts(sample.keys[1]))
        #expect(taken.book.newestWhole == 4)
    }

    @Test func `what the file beside the vault has seen is in the list of a log that is joined or recovered`()
        throws
    {
        var sample = try LogSample()
        let compaction = try sample.book.compaction(parts: 1, sample.signer(0))
        var stream = try StateStream.Writer(sample.book.state)
        let slice = try #require(try stream.finish().first)
        _ = try sample.book.take(compaction.bytes, LogSample.facts(sample.keys[0], sent: [compaction]))
        let part = try sample.book.snapshotPart(slice, sample.signer(0))
        let entries = [compaction.bytes, part.bytes]
        let joining = LogSegment.Reader.joining(
            sample.keys[1].id,
            log: sample.book.log,
            admitted: part.head,
            epoch: 2,
            key: try #require(sample.book.key)
        )
        let recovering = LogSegment.Reader.recovering(sample.keys[1].id, log: sample.book.log)
        var facts = LogSample.facts(sample.keys[1])
        for reader in [joining, recovering] {
            facts.anchor = sample.admission.head
            #expect(try LogSegment(entries, for: reader, facts).book.head == part.head)
            facts.anchor = LogHead(place: 3, hash: [UInt8](repeating: 1, count: 32))
            #expect(throws: LogError(.logForked, at: 4, by: sample.keys[0].id)) {
                try LogSegment(entries, for: reader, facts)
            }
        }
    }

    @Test func `an id that is not that of its content is refused`() throws {
        let sample = try LogSample()
        let line = KnownHostObject(state: 0, source: 0, firstSeen: 1, line: Array("a ssh-ed25519 AAAA".utf8))
        let content = try line.content()
        let good = try SharedObject(kind: 4, id: line.id, name: "", content: content)
        #expect(try sample.book.change([.put(good)], sample.signer(0)).count == 1)
        let bad = try SharedObject(
            kind: 4,
            id: ObjectID(digest: [UInt8](repeating: 1, count: 16)),
            name: "",
            content: content
        )
        #expect(throws: LogError(.logTampered)) { try sample.book.change([.put(bad)], sample.signer(0)) }
        let later = try SharedObject(kind: 4, id: line.id, name: "", content: Secret(copying: [2] + [0]))
        #expect(throws: LogError(.newerEntry)) { try sample.book.change([.put(later)], sample.signer(0)) }
        let unknown = try SharedObject(kind: 77, id: line.id, name: "x", content: content)
        #expect(try sample.book.change([.put(unknown)], sample.signer(0)).count == 1)
    }

    @Test func `limits are checked`() throws {
        #expect(throws: LogError(.logTooLarge)) { try EntryFrame([UInt8](repeating: 0, count: 1 << 20 | 1)) }
        #expect(throws: LogError(.malformed)) { try EntryFrame([1, 2, 3]) }
        #expect(!MachineName.isValid("") && !MachineName.isValid(String(repeating: "a", count: 41)))
        #expect(!MachineName.isValid("a\u{202E}b") && MachineName.isValid("Küche"))
        let sample = try LogSample()
        #expect(throws: LogError(.logTooLarge)) { try sample.book.compaction(parts: 321, sample.signer(0)) }
        var chain = ChainList()
        #expect(chain.head == nil && chain[0] == nil && chain[1] == nil)
        chain = ChainList(endingAt: 5_000, [[UInt8]](repeating: [1], count: 5_000))
        #expect(chain.first == 905 && chain.last == 5_000 && chain[904] == nil && chain[905] != nil)
    }
}
