import KeyringFake
import RecordStore
import Support
import Testing
import VaultCrypto

@testable import SecretServiceStore

/// A backup in the place of a vault in the keyring, and the next key epoch: the old vault or the new one, wherever it stops.
@Suite struct StoreRestoreTests {
    /// A vault that went on since a backup, and a twin of it that is the backup.
    private struct Pair {
        let vault: StoreScratchKeyring
        let store: SecretServiceStore
        let twin: StoreScratchKeyring
        let backup: SecretServiceStore

        init() throws {
            (twin, backup) = try StoreScratchKeyring.filled()
            (vault, store) = try StoreScratchKeyring.filled()
            try #require(store.vaultID == backup.vaultID)
            try store.put(RecordID("n", "a"), "changed")
            try store.put(RecordID("n", "new"), String(repeating: "y", count: 9_000))
            try store.put(RecordID("password", "q"), "later")
            try store.put(RecordID("a", "0"), String(repeating: "n", count: 7_500))
        }

        func restore(
            acceptsRollback: Bool = true,
            keeping: (any RecordReader, Position) throws(StoreError) -> Void = { _, _ in },
            carrying: (any RecordReader, any RecordReader, Bool) -> [Change]? = { _, _, _ in nil }
        ) throws(StoreError) -> SecretServiceStore.Restored {
            try backup.view { reader, position throws(StoreError) in
                try store.restore(
                    reader,
                    at: position,
                    acceptsRollback: acceptsRollback,
                    keeping: keeping,
                    carrying: carrying
                )
            }
        }

        func seen(_ store: SecretServiceStore) throws -> Set<StoreSeen> {
            try StoreSeen.all(store)
        }
    }

    @Test func `what a backup holds comes back above all that was seen, and predates the restore`()
        throws
    {
        let pair = try Pair()
        let last = try pair.store.status().position
        var kept: Position?
        let restored = try pair.restore { reader, position throws(StoreError) in
            kept = position
            guard try reader.find(RecordID("n", "new")) != nil else { throw .notFound }
        }
        #expect(kept == last)
        #expect(restored.position == Position(epoch: 1, generation: last.generation + 1))
        #expect(try pair.seen(pair.store) == pair.seen(pair.backup))
        #expect(restored.records == 11 && !restored.isCarried)
        let status = try pair.store.status()
        #expect(status.floor == restored.position.generation && status.records == 11)
        let all = try pair.store.read { reader throws(StoreError) in try reader.list(nil) }
        #expect(all.allSatisfy { $0.predatesRestore })
        // No page and no copy of the vault before is left.
        let report = try pair.vault.open(pair.store.vaultID).verify()
        #expect(report.strays.isEmpty && report.differing.isEmpty && report.unpublished == 0)
        #expect(pair.vault.items("Secret").map(\.item.attributes["name"]) == ["p"])
    }

    @Test func `a backup that would undo something is refused unless that is accepted`() throws {
        let pair = try Pair()
        let items = pair.vault.service.items
        let (found, newest) = (try pair.backup.status().position, try pair.store.status().position)
        #expect(throws: StoreError.rollback(found: found, expected: newest)) {
            try pair.restore(acceptsRollback: false)
        }
        #expect(pair.vault.service.items == items)
        #expect(throws: StoreError.diskFull) {
            try pair.restore { _, _ throws(StoreError) in throw .diskFull }
        }
        #expect(try pair.store.text(RecordID("n", "a")) == "changed")
    }

    @Test func `facts that are carried over are written in the same commit`() throws {
        let pair = try Pair()
        var wasWhole: Bool?
        let id = try RecordID("n", "a")
        let revision = try pair.backup.read { reader throws(StoreError) in try reader.info(id)?.revision ?? 0
        }
        let draft = RecordDraft(id: id, body: try Secret(copying: Array("ended".utf8)))
        let gone = try RecordID("n", "long")
        let restored = try pair.restore(carrying: { _, _, isWhole in
            wasWhole = isWhole
            return [.put(draft, expecting: revision), .delete(gone, expecting: nil)]
        })
        #expect(wasWhole == true && restored.isCarried && restored.records == 10)
        #expect(try pair.store.text(id) == "ended" && pair.store.text(gone) == nil)
        let info = try pair.store.read { reader throws(StoreError) in try reader.info(id) }
        #expect(info?.predatesRestore == false && info?.revision == restored.position.generation)
    }

    @Test(arguments: StoreFakeService.Point.allCases, [false, true])
    func `a restore that is cut off at any call leaves the vault as it was, or the backup`(
        point: StoreFakeService.Point,
        forGood: Bool
    ) throws {
        var (call, ends) = (0, Set<Bool>())
        while true {
            call += 1
            let pair = try Pair()
            let (before, after) = (try pair.seen(pair.store), try pair.seen(pair.backup))
            pair.vault.service.fail(.init(call: call, point: point, forGood: forGood))
            var error: StoreError?
            do throws(StoreError) { _ = try pair.restore() } catch let failure { error = failure }
            let isOver = !pair.vault.service.hasFailed
            pair.vault.service.fail(nil)
            let opened = try pair.vault.open(pair.store.vaultID)
            let seen = try pair.seen(opened)
            switch error {
            case nil: #expect(seen == after, "call \(call)")
            case .commitUnknown?: #expect(seen == before || seen == after, "call \(call)")
            default: #expect(seen == before, "call \(call), \(String(describing: error))")
            }
            ends.insert(seen == after)
            try opened.put(try RecordID("note", "next"), "n")
            let report = try pair.vault.open(pair.store.vaultID).verify()
            #expect(report.records == seen.count + 1 && report.strays.isEmpty, "call \(call)")
            if isOver { break }
        }
        #expect(ends.count == 2 && call > 4)
    }

    @Test func `the next key epoch keeps every record, and refuses a keyring from before in any case`() throws
    {
        let (vault, store) = try StoreScratchKeyring.filled()
        let other = try vault.open(store.vaultID)
        let (before, items) = (try StoreSeen.all(store), vault.service.items)
        let last = try store.status().position
        let note = try RecordID("n", "a")
        let position = try store.rekey { reader, found throws(StoreError) in
            guard found == last, try reader.info(note) != nil else { throw .conflict }
            return [.delete(try RecordID("n", "long"), expecting: nil)]
        }
        #expect(position == Position(epoch: 2, generation: last.generation + 1))
        #expect(try StoreSeen.all(store) == before.filter { $0.id != "n/long" })
        #expect(try store.status().floor == 0 && store.verify().strays.isEmpty)
        // A process that had it open opens it again.
        #expect(throws: StoreError.rekeyed) { try other.text(note) }
        #expect(throws: StoreError.rekeyed) { try other.put(note, "on") }
        #expect(try vault.open(store.vaultID).put(note, "on") == position.generation + 1)
        #expect(try store.text(note) == "on")
        vault.service.restore(items)
        let now = Position(epoch: 2, generation: position.generation + 1)
        let old = StoreError.rollback(found: last, expected: now)
        #expect(throws: old) { try vault.open(store.vaultID) }
        var options = OpenOptions()
        options.acceptsRollback = true
        let opened = try vault.open(store.vaultID, options)
        #expect(throws: old) { try opened.acceptRollback() }
    }

    @Test(arguments: StoreFakeService.Point.allCases)
    func `a key epoch that is cut off at any call has begun or has not`(point: StoreFakeService.Point) throws
    {
        var (call, ends) = (0, Set<Bool>())
        while true {
            call += 1
            let (vault, store) = try StoreScratchKeyring.filled()
            let (last, before) = (try store.status().position, try StoreSeen.all(store))
            vault.service.fail(.init(call: call, point: point, forGood: true))
            var error: StoreError?
            do throws(StoreError) { _ = try store.rekey() } catch let failure { error = failure }
            let isOver = !vault.service.hasFailed
            vault.service.fail(nil)
            let opened = try vault.open(store.vaultID)
            let found = try opened.status().position
            let isNew = found == Position(epoch: 2, generation: last.generation + 1)
            #expect(isNew || found == last, "call \(call)")
            #expect(error != nil || isNew, "call \(call)")
            #expect(error == nil || error == .commitUnknown || !isNew, "call \(call)")
            ends.insert(isNew)
            // No commit that was acknowledged is lost, and the next ones go on.
            #expect(try StoreSeen.all(opened) == before, "call \(call)")
            try opened.put(try RecordID("n", "a"), "after")
            #expect(try opened.verify().records == 11)
            if isOver { break }
        }
        #expect(ends.count == 2 && call > 2)
    }
}
