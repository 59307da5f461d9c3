import SharedLog
import Testing
import VaultCrypto

/// The known answers of the log.
struct LogVectorTests {
    let vectors: LogVectors

    init() throws { vectors = try LogVectors.read() }

    @Test func `machines have the ids and keys of their secrets`() throws {
        for machine in vectors.machines {
            let keys = try MachineKeys(
                seed: Secret(copying: LogVectors.bytes(machine.seed)),
                boxSecret: Secret(copying: LogVectors.bytes(machine.box_secret))
            )
            #expect(keys.signKey == LogVectors.bytes(machine.sign_key))
            #expect(keys.boxKey == LogVectors.bytes(machine.box_key))
            #expect(keys.id.description == machine.id)
        }
    }

    @Test func `a paper machine has the keys of its code`() throws {
        let code = Secret(try RecoveryText.decode(Array(vectors.paper.code.utf8)))
        #expect(ConstantTime.equal(code, LogVectors.bytes(vectors.paper.bits)))
        let keys = try MachineKeys(paper: code)
        #expect(ConstantTime.equal(keys.seed, LogVectors.bytes(vectors.paper.seed)))
        #expect(ConstantTime.equal(keys.boxSecret, LogVectors.bytes(vectors.paper.box_secret)))
        #expect(keys.id.description == vectors.paper.id)
    }

    @Test func `the founder takes every entry, and comes to the state of each`() throws {
        var book = try vectors.founder(after: 2)
        #expect(book.newestWhole == 1 && book.mayAdmit)
        for entry in vectors.entries.dropFirst(2) {
            let taken = try book.take(LogVectors.bytes(entry.bytes), try vectors.facts("laptop"))
            #expect(taken.head.place == entry.n && taken.head.hash == LogVectors.bytes(entry.hash))
            let state = book.state.digest(epoch: book.epoch)
            #expect(state == LogVectors.bytes(entry.state ?? ""), "entry \(entry.n)")
        }
        try expectFinal(book)
        #expect(book.newestWhole == vectors.places["compaction"])
    }

    @Test func `a machine that joins comes to the same state`() throws {
        let segment = try LogSegment(vectors.all, for: try vectors.joining(), try vectors.facts("desktop"))
        try expectFinal(segment.book)
        #expect(segment.objects.isEmpty && segment.taken.count == 14)
    }

    @Test func `a machine that was away reads from the compaction on`() throws {
        let old = try vectors.founder(after: 5)
        let segment = try LogSegment(
            Array(vectors.all.dropFirst(7)),
            for: .late(old),
            try vectors.facts("laptop")
        )
        try expectFinal(segment.book)
        #expect(segment.objects.map(\.object.kind) == [1, 4, 5])
        #expect(segment.objects.map(\.place) == [7, 3, 3])
        #expect(segment.book.chain[5] == LogVectors.bytes(vectors.entries[4].hash))
    }

    @Test func `a removed machine learns who removed it, and wipes its key`() throws {
        let web = try vectors.machine("web1")
        let facts = try vectors.facts("web1")
        let reader = LogSegment.Reader.joining(
            try LogVectors.identifier(web.id),
            log: try vectors.logID,
            admitted: LogHead(place: 6, hash: LogVectors.bytes(vectors.entries[5].hash)),
            epoch: 1,
            key: try vectors.key(1)
        )
        var book = try LogSegment(Array(vectors.all.prefix(12)), for: reader, facts).book
        let taken = try book.take(vectors.all[12], facts)
        guard case .revoked(reason: 2) = taken.effect else {
            Issue.record("not revoked")
            return
        }
        #expect(taken.author.description == (try vectors.machine("laptop").id))
        #expect(book.key == nil && book.member == nil)
        #expect(throws: LogError(.machineRevoked, at: 14)) { try book.take(vectors.all[13], facts) }
    }

    @Test func `what must be refused is, with its name`() throws {
        let book = try vectors.founder(after: 12)
        let facts = try vectors.facts("laptop")
        for refusal in vectors.refusals {
            var copy = book
            let error = #expect(throws: LogError.self, "\(refusal.what)") {
                try copy.take(LogVectors.bytes(refusal.bytes), facts)
            }
            #expect(error?.reason.rawValue == refusal.error, "\(refusal.what)")
            #expect(error?.place == 13)
            #expect(copy.head == book.head && copy.epoch == book.epoch)
            #expect(copy.state.digest(epoch: 2) == book.state.digest(epoch: 2))
        }
    }

    @Test func `objects have the ids and bytes of the known answers`() throws {
        let book = try vectors.founder(after: 5)
        let segment = try LogSegment(
            Array(vectors.all.dropFirst(7)),
            for: .late(book),
            try vectors.facts("laptop")
        )
        let objects = Dictionary(uniqueKeysWithValues: segment.objects.map { ($0.object.id, $0.object) })
        for known in vectors.objects {
            let object = try #require(objects[try LogVectors.identifier(known.id)])
            #expect(object.kind == known.kind)
            if let line = known.line {
                #expect(try KnownHostObject(content: object.content).line == Array(line.utf8))
            }
            if let peer = known.peer {
                #expect(Hex.encode(try PinObject(content: object.content).peerID) == peer)
            }
        }
        let first = try #require(vectors.objects.first?.put)
        #expect(first.hasPrefix("0101") && first.contains("64622f70726f64"))
    }

    private func expectFinal(_ book: LogBook) throws {
        let final = vectors.final_state
        #expect(book.head.hash == LogVectors.bytes(vectors.entries.last?.hash ?? ""))
        #expect(book.epoch == 3)
        #expect(book.key.map { key in (try? vectors.key(3)).map { ConstantTime.equal(key, $0) } } == true)
        #expect(book.state.digest(epoch: 3) == LogVectors.bytes(final.digest))
        #expect(Set(book.state.members.values.map(\.name)) == Set(final.members))
        #expect(book.state.objectIDs.map(\.description) == final.objects)
    }
}
