internal import RecordStore
internal import Testing
internal import VaultCrypto

extension StorePromise {
    static let writing: [StorePromise] = [
        StorePromise("writing over a record keeps its identity and replaces the rest") { backend in
            let store = try backend.make()
            let id = try RecordID("login", "github")
            let first = try put(store, id, "one", try Attributes(["host": "h"]))
            let before = try #require(try info(store, id))
            let second = try put(store, id, "two")
            let after = try #require(try info(backend.reopen(store), id))
            #expect(second > first && after.revision == second)
            #expect(after.uid == before.uid && after.created == before.created)
            #expect(after.attributes.isEmpty)
            #expect(try find(store, id).map(text) == "two")
        },
        StorePromise("a deleted record is gone, and one made later is another") { backend in
            let store = try backend.make()
            let id = try RecordID("login", "github")
            let first = try put(store, id, "one")
            let before = try #require(try info(store, id))
            try store.commit(ChangeSet(floor: 0, changes: [.delete(id, expecting: first)]))
            #expect(try find(backend.reopen(store), id) == nil)
            #expect(try list(store, nil).isEmpty)
            #expect(try put(store, id, "two") > first)
            #expect(try info(store, id)?.uid != before.uid)
        },
        StorePromise("a rename is one change set, and the identity survives it") { backend in
            let store = try backend.make()
            let (old, new) = (try RecordID("note", "old"), try RecordID("note", "new"))
            let revision = try put(store, old, "text")
            let record = try #require(try find(store, old))
            var changes = ChangeSet(floor: 0)
            changes.put(
                RecordDraft(id: new, body: record.body, uid: record.info.uid, created: 5),
                expecting: 0
            )
            changes.delete(old, expecting: revision)
            try store.commit(changes)
            let renamed = try #require(try find(backend.reopen(store), new))
            #expect(renamed.info.uid == record.info.uid)
            #expect(renamed.info.created == 5)
            #expect(text(renamed) == "text")
            #expect(try list(store, nil) == ["note/new"])
        },
        StorePromise("the records of one change set have one revision") { backend in
            let store = try backend.make()
            var changes = ChangeSet(floor: 0)
            for number in 0..<200 {
                changes.put(
                    RecordDraft(id: try RecordID("n", "\(number)"), body: try secret("\(number)")),
                    expecting: 0
                )
            }
            let revision = try store.commit(changes)
            try backend.reopen(store).read { reader throws(StoreError) in
                let all = try reader.list(nil)
                #expect(all.count == 200 && all.allSatisfy { $0.revision == revision })
                #expect(Set(all.map(\.uid)).count == 200)
            }
        },
        StorePromise("an empty change set writes nothing") { backend in
            let store = try backend.make()
            let revision = try put(store, RecordID("n", "a"), "x")
            #expect(try store.commit(ChangeSet(floor: 0)) == revision)
            #expect(try store.read { $0.generation } == revision)
        },
        StorePromise("deleting whatever is there takes nothing too") { backend in
            let store = try backend.make()
            let id = try RecordID("n", "a")
            try store.commit(ChangeSet(floor: 0, changes: [.delete(id, expecting: nil)]))
            try store.commit(ChangeSet(floor: 0, changes: [.delete(id, expecting: 0)]))
            try put(store, id, "x")
            try store.commit(ChangeSet(floor: 0, changes: [.delete(id, expecting: nil)]))
            #expect(try list(store, nil).isEmpty)
        },
        StorePromise("a record that goes to the trash is an ordinary record there") { backend in
            let store = try backend.make()
            let (live, trash) = (try RecordID("login", "a"), try RecordID("trash.login", "a"))
            let revision = try put(store, live, "x")
            let record = try #require(try find(store, live))
            var changes = ChangeSet(floor: 0)
            changes.delete(live, expecting: revision)
            changes.put(
                RecordDraft(id: trash, expires: 9, body: record.body, uid: record.info.uid),
                expecting: 0
            )
            try store.commit(changes)
            #expect(try list(store, "login").isEmpty)
            #expect(try list(store, "trash.login") == ["trash.login/a"])
        },
    ]
}
