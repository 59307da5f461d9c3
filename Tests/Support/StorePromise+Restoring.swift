internal import RecordStore
internal import Testing
internal import VaultCrypto

extension StorePromise {
    static let restoring: [StorePromise] = [
        StorePromise("a restore shows on every record until it is written again") { backend in
            let store = try backend.make()
            let (a, b) = (try RecordID("n", "a"), try RecordID("n", "b"))
            try put(store, a, "a")
            try put(store, b, "b")
            let before = try store.read { ($0.floor, $0.generation) }
            try backend.raiseFloor(store)
            let after = try store.read { ($0.floor, $0.generation) }
            #expect(before.0 == 0 && after.0 == after.1 && after.0 > before.1)
            #expect(try info(store, a)?.predatesRestore == true)
            #expect(
                try store.read { reader throws(StoreError) in try reader.list(nil) }.allSatisfy(
                    \.predatesRestore
                )
            )
            try put(store, a, "a2")
            let fresh = try backend.reopen(store)
            #expect(try info(fresh, a)?.predatesRestore == false)
            #expect(try find(fresh, b)?.info.predatesRestore == true)
        },
        StorePromise("what was read before a restore is not written after it") { backend in
            let store = try backend.make()
            let id = try RecordID("n", "a")
            let revision = try put(store, id, "a")
            let floor = try store.read { $0.floor }
            try backend.raiseFloor(store)
            var changes = ChangeSet(floor: floor)
            changes.put(RecordDraft(id: id, body: try secret("b")), expecting: revision)
            #expect(throws: StoreError.conflict) { try store.commit(changes) }
            changes.floor = try store.read { $0.floor }
            try store.commit(changes)
            #expect(try find(store, id).map(text) == "b")
        },
    ]
}
