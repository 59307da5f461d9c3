import SharedLog
import Testing
import VaultCrypto

/// A server that changes what it has.
struct ChangedEntryTests {
    @Test(arguments: 3...15) func `an entry with one changed byte is refused, and changes nothing`(
        place: Int
    ) throws {
        let vectors = try LogVectors.read()
        let book = try vectors.founder(after: place - 1)
        let (facts, entry) = (try vectors.facts("laptop"), vectors.all[place - 1])
        let before = book.state.digest(epoch: book.epoch)
        var copy = book
        for index in entry.indices {
            let error = #expect(throws: LogError.self, "byte \(index)") {
                try copy.take(entry.changed(at: index), facts)
            }
            #expect(error?.place != nil)
        }
        for count in [0, 8, 71, 72, 96, 112, entry.count - 1] {
            #expect(throws: LogError.self) { try copy.take(Array(entry.prefix(count)), facts) }
        }
        #expect(throws: LogError.self) { try copy.take(entry + [0], facts) }
        #expect(copy.head == book.head && copy.state.digest(epoch: copy.epoch) == before)
        _ = try copy.take(entry, facts)
    }

    @Test(arguments: [0, 1]) func `a log that begins with a changed entry is refused`(place: Int) throws {
        let vectors = try LogVectors.read()
        let facts = try vectors.facts("laptop")
        let reader = LogSegment.Reader.recovering(
            try LogVectors.identifier(vectors.machine("laptop").id),
            log: try vectors.logID
        )
        for index in vectors.all[place].indices {
            var entries = Array(vectors.all.prefix(2))
            entries[place] = entries[place].changed(at: index)
            #expect(throws: LogError.self, "byte \(index)") {
                try LogSegment(entries, for: reader, facts)
            }
        }
    }

    @Test(arguments: 7...10) func `a compaction with one changed byte is nothing to begin with`(
        place: Int
    ) throws {
        let vectors = try LogVectors.read()
        let facts = try vectors.facts("laptop")
        let old = try vectors.founder(after: 5)
        let entry = vectors.all[place]
        for index in stride(from: 0, to: entry.count, by: 3) {
            var entries = Array(vectors.all[7...10])
            entries[place - 7] = entry.changed(at: index)
            #expect(throws: LogError.self, "byte \(index)") {
                try LogSegment(entries, for: .late(old), facts)
            }
        }
    }

    @Test func `no order but the right one is taken`() throws {
        let vectors = try LogVectors.read()
        let facts = try vectors.facts("laptop")
        for place in 2..<15 {
            var book = try vectors.founder(after: place)
            for (index, entry) in vectors.all.enumerated() where index != place {
                #expect(throws: LogError.self) { try book.take(entry, facts) }
            }
        }
    }
}
