internal import RecordStore
internal import Testing
internal import VaultCrypto

extension StorePromise {
    static let refusing: [StorePromise] = [
        StorePromise("a revision that moved is a conflict, and nothing of the change set happens") {
            backend in
            let store = try backend.make()
            let (a, b) = (try RecordID("n", "a"), try RecordID("n", "b"))
            let first = try put(store, a, "one")
            let second = try put(store, a, "two")
            for (id, expected) in [(a, first), (a, 0), (a, second + 1), (b, first)] {
                var changes = ChangeSet(floor: 0)
                changes.put(RecordDraft(id: try RecordID("n", "c"), body: try secret("c")), expecting: 0)
                changes.put(RecordDraft(id: id, body: try secret("three")), expecting: expected)
                #expect(throws: StoreError.conflict) { try store.commit(changes) }
                changes.changes[1] = .delete(id, expecting: expected)
                #expect(throws: StoreError.conflict) { try store.commit(changes) }
            }
            #expect(try list(backend.reopen(store), nil) == ["n/a"])
            #expect(try find(store, a).map(text) == "two")
            #expect(try store.read { $0.generation } == second)
        },
        StorePromise("a change set under another floor is a conflict") { backend in
            let store = try backend.make()
            let id = try RecordID("n", "a")
            var changes = ChangeSet(floor: 1)
            changes.put(RecordDraft(id: id, body: try secret("x")), expecting: 0)
            #expect(throws: StoreError.conflict) { try store.commit(changes) }
            #expect(throws: StoreError.conflict) { try store.commit(ChangeSet(floor: 1)) }
            #expect(try list(store, nil).isEmpty)
        },
        StorePromise("a change set names a record once") { backend in
            let store = try backend.make()
            let id = try RecordID("n", "a")
            var changes = ChangeSet(floor: 0)
            changes.put(RecordDraft(id: id, body: try secret("x")), expecting: 0)
            changes.delete(id, expecting: nil)
            #expect(throws: StoreError.invalidRecord(.repeatedID)) { try store.commit(changes) }
        },
        StorePromise("limits are met to the byte") { backend in
            let store = try backend.make()
            let id = try RecordID("n", "a")
            let largest = try SecretBytes(count: RecordLimits.body)
            var drafts: [(RecordDraft, InvalidRecord?)] = []
            let body = try secret("x")
            drafts.append((RecordDraft(id: id, body: Secret(largest)), nil))
            drafts.append(
                (RecordDraft(id: id, body: Secret(try SecretBytes(count: RecordLimits.body + 1))), .body)
            )
            drafts.append((RecordDraft(id: id, label: String(repeating: "é", count: 512), body: body), nil))
            drafts.append(
                (RecordDraft(id: id, label: String(repeating: "e", count: 1_025), body: body), .label)
            )
            drafts.append((RecordDraft(id: id, body: body, uid: [1]), .uid))
            // 58 bytes are fixed, kind and name take 2, each attribute 4 and its parts: 65,536 is the most.
            let full = try (0..<15).map { (try name($0), Array(repeating: UInt8(1), count: 4_096)) }
            let used = 58 + 2 + 15 * (4 + 2 + 4_096)
            for (extra, refusal) in [(0, nil), (1, InvalidRecord.meta)] {
                let rest = RecordLimits.meta - used - 6 + extra
                let attributes = try Attributes(bytes: full + [("zz", Array(repeating: 2, count: rest))])
                drafts.append((RecordDraft(id: id, attributes: attributes, body: body), refusal))
            }
            for (draft, refusal) in drafts {
                let revision = try info(store, id)?.revision ?? 0
                let changes = ChangeSet(floor: 0, changes: [.put(draft, expecting: revision)])
                if let refusal {
                    #expect(throws: StoreError.invalidRecord(refusal)) { try store.commit(changes) }
                } else {
                    try store.commit(changes)
                    let found = try #require(try find(backend.reopen(store), id))
                    #expect(found.body.count == draft.body.count)
                    #expect(found.info.label == draft.label)
                    #expect(found.info.attributes == draft.attributes)
                }
            }
        },
    ]

    private static func name(_ number: Int) throws -> String {
        String(UInt8(ascii: "a") + UInt8(number), radix: 36)
    }
}
