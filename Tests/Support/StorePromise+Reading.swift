internal import RecordStore
internal import Testing
internal import VaultCrypto

extension StorePromise {
    static let reading: [StorePromise] = [
        StorePromise("what was written is found, with all of its parts") { backend in
            let store = try backend.make()
            let id = try RecordID("login", "github")
            let attributes = try Attributes(["host": "github.com", "user": "me"])
            var changes = ChangeSet(floor: 0)
            changes.put(
                RecordDraft(
                    id: id,
                    label: "GitHub",
                    attributes: attributes,
                    expires: 7,
                    body: try secret("hunter2")
                ),
                expecting: 0
            )
            let revision = try store.commit(changes)
            let record = try #require(try find(try backend.reopen(store), id))
            #expect(record.info.id == id)
            #expect(record.info.revision == revision)
            #expect(record.info.label == "GitHub")
            #expect(record.info.attributes == attributes)
            #expect(record.info.attributes["host"] == "github.com")
            #expect(record.info.expires == 7)
            #expect(record.info.uid.count == 16)
            #expect(record.info.created > 0 && record.info.created == record.info.modified)
            #expect(!record.info.predatesRestore && !record.info.isNewer)
            #expect(text(record) == "hunter2")
            #expect(try info(store, id) == record.info)
        },
        StorePromise("what was never written is not found") { backend in
            let store = try backend.make()
            #expect(try find(store, RecordID("login", "nobody")) == nil)
            #expect(try info(store, RecordID("login", "nobody")) == nil)
            #expect(try list(store, nil).isEmpty)
        },
        StorePromise("a list is ordered by kind and name and can be narrowed") { backend in
            let store = try backend.make()
            let names = ["b", "a", "é", "Z", "aa"]
            for name in names { try put(store, RecordID("note", name), "x") }
            let tagged = try Attributes(["tag": "one", "host": "h"])
            try put(store, RecordID("login", "x"), "x", tagged)
            try put(store, RecordID("login", "y"), "x", try Attributes(["tag": "two"]))
            let fresh = try backend.reopen(store)
            #expect(
                try list(fresh, nil) == ["login/x", "login/y"]
                    + ["Z", "a", "aa", "b", "é"].map { "note/\($0)" }
            )
            #expect(try list(fresh, "login") == ["login/x", "login/y"])
            #expect(try list(fresh, "host").isEmpty)
            #expect(try list(fresh, nil, ["tag": "one"]) == ["login/x"])
            #expect(try list(fresh, "login", ["tag": "one", "host": "h"]) == ["login/x"])
            #expect(try list(fresh, "login", ["tag": "one", "host": "g"]).isEmpty)
            #expect(try list(fresh, "note", ["tag": "one"]).isEmpty)
        },
        StorePromise("names differ by case, kinds keep names apart") { backend in
            let store = try backend.make()
            for id in try [RecordID("note", "a"), RecordID("note", "A"), RecordID("login", "a")] {
                try put(store, id, id.description)
            }
            for id in try [RecordID("note", "a"), RecordID("note", "A"), RecordID("login", "a")] {
                #expect(try find(store, id).map(text) == id.description)
            }
        },
        StorePromise("any bytes are kept, none and a mebibyte too") { backend in
            let store = try backend.make()
            let bodies: [[UInt8]] = [
                [], [0], Array(repeating: 0, count: 124), Array(repeating: 255, count: 125),
                (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) },
            ]
            for (number, body) in bodies.enumerated() {
                var changes = ChangeSet(floor: 0)
                changes.put(
                    RecordDraft(id: try RecordID("blob", "\(number)"), body: try Secret(copying: body)),
                    expecting: 0
                )
                try store.commit(changes)
            }
            let fresh = try backend.reopen(store)
            for (number, body) in bodies.enumerated() {
                let record = try #require(try find(fresh, RecordID("blob", "\(number)")))
                #expect(record.body.withBytes { $0.copied() } == body)
            }
        },
        StorePromise("attribute values are bytes") { backend in
            let store = try backend.make()
            let id = try RecordID("note", "a")
            let attributes = try Attributes(bytes: [("z", [0xFF, 0]), ("a", [])])
            try put(store, id, "x", attributes)
            let found = try #require(try info(backend.reopen(store), id)).attributes
            #expect(found.bytes("z") == [0xFF, 0])
            #expect(found["z"] == nil)
            #expect(found.bytes("a") == [])
            #expect(found["b"] == nil)
            #expect(found.all.map(\.name) == ["a", "z"])
        },
        StorePromise("a view does not change while it is lent") { backend in
            let store = try backend.make()
            let id = try RecordID("note", "a")
            try put(store, id, "one")
            try store.read { reader throws(StoreError) in
                let first = try reader.find(id)?.info
                let second = try reader.list(nil).first
                #expect(first == second && first?.revision == reader.generation)
            }
        },
    ]
}
