import RecordStore
import Secrets
import Testing
import VaultCrypto
import VaultPolicy

struct ItemIndexTests {
    /// What the index has to answer, in the plainest way.
    private struct NaiveIndex {
        var records: [String: ItemRecord] = [:]

        func search(_ wanted: ItemAttributes, in collection: String?) -> Set<String> {
            Set(
                records.values.filter {
                    $0.removedAt == nil && $0.attributes.matches(wanted)
                        && (collection == nil || $0.collection == collection)
                }.map(\.id)
            )
        }
    }

    @Test(arguments: 0..<8)
    func `it finds what a look at every item finds, whatever was put in and taken out`(
        seed: Int
    ) throws {
        var random = SeededNumbers(UInt8(seed))
        var (index, naive) = (ItemIndex([]), NaiveIndex())
        for _ in 0..<400 {
            let id = "i\(random.next(40))"
            if random.next(4) == 0 {
                index.remove(id)
                naive.records[id] = nil
            } else {
                let record = try record(
                    id,
                    random.next(2),
                    try someAttributes(&random),
                    isRemoved: random.next(6) == 0
                )
                index.put(record)
                naive.records[id] = record
            }
            let wanted = try someAttributes(&random)
            for collection in [nil, "c0", "c1"] {
                #expect(
                    Set(index.search(wanted, in: collection).map(\.id))
                        == naive.search(wanted, in: collection)
                )
            }
            #expect(index.count == naive.search(.none, in: nil).count)
        }
        for id in naive.records.keys { index.remove(id) }
        #expect(index.count == 0)
        #expect(index.search(.none).isEmpty)
    }

    @Test func `the newest change comes first`() throws {
        let index = ItemIndex(
            try [("b", 5), ("a", 9), ("c", 7), ("d", 7)].map { try record($0.0, 0, .none, modified: $0.1) }
        )
        #expect(index.search(.none).map(\.id) == ["a", "c", "d", "b"])
    }

    @Test func `what was only written again stays where it was among the changes`() throws {
        var granted = try record("granted", 0, .none, modified: 9)
        granted.changed = 5
        let index = ItemIndex([granted, try record("newer", 0, .none, modified: 7)])
        #expect(index.search(.none).map(\.id) == ["newer", "granted"])
    }

    @Test func `a new item takes the place of the program's own before any other`() throws {
        let (git, gh) = (
            try #require(ProgramIdentity("/usr/bin/git")), try #require(ProgramIdentity("/usr/bin/gh"))
        )
        let wanted = try attributes(["user": "joe"])
        var own = try record("own", 0, wanted, modified: 1)
        own.owner = git
        var granted = try record("granted", 0, wanted, modified: 2)
        (granted.owner, granted.readers) = (gh, [git])
        let nobodys = try record("nobodys", 0, wanted, modified: 3)
        var others = try record("others", 0, wanted, modified: 4)
        others.owner = gh
        var index = ItemIndex([own, granted, nobodys, others])
        for (id, relation) in [
            ("own", ItemRelation.own), ("granted", .granted), ("nobodys", .nobodys), ("others", .others),
        ] {
            let found = try #require(index.replaced(by: wanted, in: "c0", for: git))
            #expect(found.record.id == id)
            #expect(found.relation == relation)
            index.remove(id)
        }
        #expect(index.replaced(by: wanted, in: "c0", for: git) == nil)
    }

    @Test func `nothing is replaced by less, by more, or from another collection`() throws {
        let index = ItemIndex([try record("i", 0, try attributes(["user": "joe", "server": "x"]))])
        #expect(index.replaced(by: try attributes(["user": "joe"]), in: "c0", for: nil) == nil)
        let more = try attributes(["user": "joe", "server": "x", "port": "1"])
        #expect(index.replaced(by: more, in: "c0", for: nil) == nil)
        let same = try attributes(["user": "joe", "server": "x"])
        #expect(index.replaced(by: same, in: "c1", for: nil) == nil)
        #expect(index.replaced(by: same, in: "c0", for: nil)?.relation == .nobodys)
    }

    @Test func `a program that is not known owns nothing, however the owner is named`() throws {
        var item = try record("i", 0, .none)
        #expect(item.relation(for: nil) == .nobodys)
        item.owner = ProgramIdentity("/usr/bin/git")
        #expect(item.relation(for: nil) == .others)
        #expect(item.relation(for: ProgramIdentity("/usr/bin/gi")) == .others)
        #expect(item.relation(for: ProgramIdentity("/usr/bin/git")) == .own)
    }

    private func someAttributes(_ random: inout SeededNumbers) throws -> ItemAttributes {
        var texts: [String: String] = [:]
        for _ in 0..<random.next(4) { texts["n\(random.next(3))"] = "v\(random.next(3))" }
        switch random.next(6) {
        case 0: texts["xdg:schema"] = "org.freedesktop.Secret.Generic"
        case 1: texts["xdg:schema"] = "org.example"
        default: break
        }
        return try attributes(texts)
    }

    private func record(
        _ id: String,
        _ collection: Int,
        _ attributes: ItemAttributes,
        isRemoved: Bool = false,
        modified: UInt64 = 0
    ) throws -> ItemRecord {
        var record = ItemRecord(
            id: id,
            collection: "c\(collection)",
            label: "",
            attributes: attributes,
            owner: nil
        )
        record.removedAt = isRemoved ? 1 : nil
        return try ItemRecord(try info(record, modified: modified))
    }
}

/// Small numbers that are the same for the same seed.
struct SeededNumbers {
    private let entropy: Entropy

    init(_ seed: UInt8) { entropy = .seeded([seed]) }

    mutating func next(_ below: Int) -> Int { Int(entropy.bytes(1)[0]) % below }
}
