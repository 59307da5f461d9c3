import Presentation
import Testing

/// What a word on the command line, or in a call of the C library, names.
@Suite struct NameLookupTests {
    private struct Thing: Sendable, Equatable {
        let name: String
        var number = 0
    }

    private func lookup(_ names: [String], removed: [String] = []) -> NameLookup<Thing> {
        NameLookup(
            name: \.name,
            normalized: { $0.lowercased() },
            isAlso: { "#\($0.number)" == $1 },
            list: { inTrash in (inTrash ? removed : names).enumerated().map { Thing(name: $1, number: $0) } }
        )
    }

    private func name(_ answer: NameLookup<Thing>.Answer) -> String {
        switch answer {
        case .named(let thing): "named \(thing.name)"
        case .begun(let thing): "begun \(thing.name)"
        case .ambiguous(let things): "ambiguous \(things.count)"
        case .inTrash: "in trash"
        case .unknown(let near): "unknown \(near.joined(separator: ","))"
        }
    }

    @Test(arguments: [
        ("alice", "named alice"), ("ALICE", "named alice"), ("#1", "named alina"),
        ("ali", "unknown alice,alina"),
        ("alic", "begun alice"), ("bob", "unknown bo"), ("carol", "in trash"), ("dave", "unknown "),
        ("", "unknown "),
    ])
    func `a word names a record exactly, by its beginning, or not at all`(word: String, meaning: String)
        async throws
    {
        let lookup = lookup(["bo", "alina", "alice"], removed: ["carol"])
        #expect(name(try await lookup.find(word, byBeginning: true)) == meaning)
    }

    @Test func `the beginning of a name is not enough where the caller wants all of it`() async throws {
        let lookup = lookup(["alice"])
        #expect(name(try await lookup.find("alic")) == "unknown alice")
    }

    @Test func `an exact name goes before the beginning of another one, and before what is removed`()
        async throws
    {
        let lookup = lookup(["alice", "al"], removed: ["al"])
        #expect(name(try await lookup.find("al", byBeginning: true)) == "named al")
    }

    @Test func `a name that two records have is ambiguous`() async throws {
        #expect(name(try await lookup(["bo", "bo"]).find("bo")) == "ambiguous 2")
    }

    @Test func `among the removed records the others do not count`() async throws {
        let lookup = lookup(["alice"], removed: ["carol"])
        #expect(name(try await lookup.find("carol", inTrash: true)) == "named carol")
        #expect(name(try await lookup.find("alice", inTrash: true)) == "unknown ")
    }
}
