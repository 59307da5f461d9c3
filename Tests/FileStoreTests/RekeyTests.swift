import CMemorySearch
import FileStore
import Foundation
import RecordStore
import Support
import Testing
import VaultCrypto

/// A new vault key: the content stays to the byte, and what opened the vault stays or goes as it was said.
@Suite struct RekeyTests {
    private let vault: ScratchVault
    private let store: FileStore
    private let first: Unlock

    init() throws {
        vault = try ScratchVault()
        store = try vault.create()
        first = .recovery(try ScratchVault.code())
    }

    private func code(_ number: UInt8) throws -> Unlock {
        .recovery(try Secret(copying: Array(repeating: number, count: 16)))
    }

    private func open(_ unlock: Unlock, _ options: OpenOptions = OpenOptions()) throws -> FileStore {
        try FileStore.open(
            at: vault.paths,
            unlock: unlock,
            options: options,
            entropy: vault.entropy,
            now: { 1 }
        )
    }

    /// Everything that is known of every record, and its secret.
    private func content(_ store: FileStore) throws -> [String] {
        try store.read { reader throws(StoreError) in
            try reader.list(nil).map { info throws(StoreError) in
                let body = info.isNewer ? nil : try reader.find(info.id)?.body.withBytes { $0.copied() }
                return "\(info) \(body.map { Hex.encode($0) } ?? "")"
            }
        }
    }

    private func fill(_ count: Int) throws {
        for number in 0..<count {
            let attributes = try Attributes(["n": "\(number)"])
            try store.put(
                RecordID("note", "n\(number)"),
                String(repeating: "x", count: number * 7),
                attributes: attributes
            )
        }
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: vault.scratch.path + "/vault").sorted()
    }

    @Test func `every record is carried with revision, times, uid and floor, and the old key opens nothing`()
        throws
    {
        try fill(40)
        try store.acceptRollback()
        try store.put(RecordID("note", "later"), "after the restore")
        let (before, status) = (try content(store), try store.status())
        let report = try store.rekey(store.prepareRekey([.carried(1)]))
        #expect(report.position == Position(epoch: 2, generation: status.position.generation + 1))
        #expect(report.records == 41 && report.slots.map(\.number) == [1])
        #expect(try content(store) == before)
        #expect(try store.status().floor == status.floor)
        #expect(try store.verify().records == 41)
        // The store that did it goes on, and so does everyone who has a secret.
        #expect(try store.put(RecordID("note", "n1"), "new") == report.position.generation + 1)
        let opened = try open(first, OpenOptions(requireAnchor: true))
        #expect(opened.anchorFinding == .matches && opened.noted.isEmpty)
        #expect(try opened.text(RecordID("note", "n1")) == "new")
        #expect(refusal { _ = try vault.open() } == .tampered(.head))
        #expect(try files().filter { $0.contains(".new-") }.isEmpty)
    }

    @Test func `slots are carried, made again, made and dropped, and keep their numbers and labels`() throws {
        let (phrase, other) = (
            Unlock.passphrase(try Secret(copying: Array("a passphrase".utf8))),
            Unlock.passphrase(try Secret(copying: Array("another one".utf8)))
        )
        let plain = try Secret(copying: Array(repeating: 8, count: 16))
        try store.addSlot(NewSlot(phrase, label: "desk", parameters: PasswordHash.floor), unlock: first)
        try store.addSlot(NewSlot(other, label: "gone", parameters: PasswordHash.floor), unlock: first)
        try store.addSlot(NewSlot(plainRecovery: plain, label: "old paper"), unlock: first)
        try store.addSlot(NewSlot(code(9), label: "dropped"), unlock: first)
        #expect(try store.carriedSlots() == [1, 5])
        let before = try store.slots()
        let report = try store.rekey(
            store.prepareRekey([
                .carried(1), .remade(2, phrase), .remade(4, .recovery(plain)),
                .new(NewSlot(code(7), label: "new")),
            ])
        )
        #expect(report.slots.map(\.number) == [1, 2, 4, 6])
        #expect(report.slots.map(\.label) == ["paper", "desk", "old paper", "new"])
        #expect(report.slots.map(\.kind) == [.recovery, .passphrase, .recovery, .recovery])
        #expect(report.slots[0].created == before[0].created && report.slots[1].created == before[1].created)
        #expect(report.slots[1].parameters == PasswordHash.floor)
        for (unlock, number) in [(first, 1), (phrase, 2), (.recovery(plain), 4), (try code(7), 6)]
            as [(Unlock, UInt32)]
        {
            #expect(try open(unlock).testSlot(unlock) == number)
        }
        for unlock in [other, try code(9)] { #expect(refusal { _ = try open(unlock) } == .wrongSecret) }
    }

    @Test func `the key can be changed again and again`() throws {
        try fill(5)
        let before = try content(store)
        for epoch in 2...6 as ClosedRange<UInt32> {
            let report = try open(first).rekey(open(first).prepareRekey([.carried(1)]))
            #expect(report.position.epoch == epoch)
        }
        #expect(try content(open(first)) == before)
        #expect(try open(first).verify().position.epoch == 6)
    }

    @Test func `changes of the same commit get its number, and nothing else does`() throws {
        try fill(8)
        let (changed, gone, new) = (
            try RecordID("note", "n3"), try RecordID("note", "n4"), try RecordID("note", "new")
        )
        let last = try store.status().position
        var seen: Position?
        let report = try store.rekey(store.prepareRekey([.carried(1)])) {
            reader,
            position throws(StoreError) in
            seen = position
            guard let old = try reader.info(changed) else { throw .notFound }
            let body: Secret
            do { body = try Secret(copying: [1, 2, 3]) } catch { throw .outOfMemory }
            return [
                .put(RecordDraft(id: changed, body: body), expecting: old.revision),
                .delete(gone, expecting: nil), .put(RecordDraft(id: new, body: body), expecting: 0),
            ]
        }
        #expect(seen == last && report.records == 8)
        let list = try store.read { reader throws(StoreError) in try reader.list(nil) }
        let written = list.filter { $0.revision == report.position.generation }.map(\.id)
        #expect(Set(written) == [changed, new])
        #expect(try store.text(gone) == nil && store.text(changed) == "\u{1}\u{2}\u{3}")
        #expect(try open(first).verify().records == 8)
    }

    @Test func `a change that does not fit leaves everything as it was`() throws {
        try fill(3)
        let (before, position) = (try content(store), try store.status().position)
        let id = try RecordID("note", "n1")
        let stale = Change.delete(id, expecting: 99)
        #expect(
            refusal { _ = try store.rekey(store.prepareRekey([.carried(1)])) { _, _ in [stale] } }
                == .conflict
        )
        let prepared = try store.prepareRekey([.carried(1)])
        #expect(
            refusal { _ = try store.rekey(prepared) { _, _ throws(StoreError) in throw .cancelled } }
                == .cancelled
        )
        #expect(try store.status().position == position && content(store) == before)
        #expect(try vault.open().verify().records == 3)
        #expect(try files().filter { $0.contains(".new-") }.isEmpty)
    }

    @Test func `who has the vault open is told, and writes nothing with the old key`() throws {
        try fill(3)
        let (reader, writer) = (try vault.open(OpenOptions(readOnly: true)), try vault.open())
        _ = try writer.text(RecordID("note", "n1"))
        _ = try store.rekey(store.prepareRekey([.carried(1)]))
        let before = try content(store)
        #expect(refusal { _ = try reader.text(RecordID("note", "n1")) } == .rekeyed)
        #expect(refusal { try writer.put(RecordID("note", "n1"), "lost") } == .rekeyed)
        #expect(refusal { _ = try writer.slots() } == .rekeyed)
        #expect(refusal { _ = try writer.rekey(writer.prepareRekey([.carried(1)])) } == .rekeyed)
        #expect(try content(store) == before)
    }

    @Test func `writers beside it lose nothing that was acknowledged`() async throws {
        try fill(20)
        let acknowledged = try await withThrowingTaskGroup(of: [RecordID].self) { group in
            for writer in 0..<3 {
                let other = try vault.open()
                group.addTask {
                    var written: [RecordID] = []
                    for number in 0..<100 {
                        let id = try RecordID("by", "\(writer).\(number)")
                        switch outcome({ try other.put(id, "x") }) {
                        case .success: written.append(id)
                        case .failure(.rekeyed): return written
                        // Under load one of them waits too long: it was told so, and has written nothing.
                        case .failure(.busy): continue
                        case .failure(let error): throw error
                        }
                    }
                    return written
                }
            }
            let store = store
            group.addTask {
                // The others have the vault open already, so each of them meets the new key.
                while true {
                    switch outcome({ try store.rekey(store.prepareRekey([.carried(1)])) }) {
                    case .success(let report):
                        #expect(report.position.epoch == 2)
                        return []
                    case .failure(.busy): continue
                    case .failure(let error): throw error
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let records = try Set(
            open(first).read { reader throws(StoreError) in try reader.list(nil) }.map(\.id)
        )
        #expect(acknowledged.allSatisfy(records.contains))
        #expect(records.count == acknowledged.count + 20)
        #expect(try open(first).verify().records == records.count)
    }

    @Test func `slots that changed since are a conflict`() throws {
        let prepared = try store.prepareRekey([.carried(1)])
        try vault.open().addSlot(NewSlot(code(2)), unlock: first)
        #expect(refusal { _ = try store.rekey(prepared) } == .conflict)
        #expect(try open(code(2)).status().position.epoch == 1)
    }

    @Test func `a vault that nothing portable would open, and slots that are not there, are refused`() throws
    {
        #expect(refusal { _ = try store.prepareRekey([]) } == .lastSlot)
        #expect(refusal { _ = try store.prepareRekey([.carried(9)]) } == .noSuchSlot)
        #expect(refusal { _ = try store.prepareRekey([.remade(9, first)]) } == .noSuchSlot)
        let five = try (2...6 as ClosedRange<UInt8>).map { RekeyedSlot.new(NewSlot(try code($0))) }
        #expect(refusal { _ = try store.prepareRekey(five) } == .slotLimit)
        try store.addSlot(
            NewSlot(plainRecovery: Secret(copying: Array(repeating: 3, count: 16))),
            unlock: first
        )
        #expect(refusal { _ = try store.prepareRekey([.carried(2)]) } == .tampered(.slots))
        let reading = try vault.open(OpenOptions(readOnly: true))
        #expect(refusal { _ = try reading.prepareRekey([.carried(1)]) } == .readOnly)
    }

    @Test func `a record of a newer program is carried as it is`() throws {
        let meta: [UInt8] =
            [2, 1, 0, 0, 0, 0, 0, 0, 0, 2] + Array(repeating: 9, count: 16 + 24)
            + [0, 5] + Array("login".utf8) + [0, 5] + Array("later".utf8) + [0, 0, 0, 0, 1, 2, 3]
        try Forger(vault).addRecord(RecordID("login", "later"), meta: meta, revision: 2)
        let store = try vault.open()
        let before = try content(store)
        #expect(before.count == 1 && before[0].contains("isNewer: true"))
        _ = try store.rekey(store.prepareRekey([.carried(1)]))
        #expect(try content(open(first)) == before)
        #expect(try open(first).verify().records == 1)
    }

    @Test func `a vault with a damaged record keeps its key`() throws {
        try fill(4)
        try vault.raw {
            try $0.run(
                "UPDATE record SET body = zeroblob(length(body)) WHERE id = (SELECT min(id) FROM record)"
            )
        }
        let store = try vault.open()
        let position = try store.status().position
        let failure = refusal { _ = try store.rekey(store.prepareRekey([.carried(1)])) }
        guard case .tampered(.record) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(try vault.open().status().position == position)
    }

    @Test func `an old copy that is put back is refused in any case, and is only read`() throws {
        try store.put(RecordID("note", "a"), "old")
        let old = try vault.snapshot()
        let report = try store.rekey(store.prepareRekey([.carried(1)]))
        store.lock()
        try vault.restore(old)
        let found = Position(epoch: 1, generation: report.position.generation - 1)
        #expect(refusal { _ = try open(first) } == .rollback(found: found, expected: report.position))
        let copy = try open(first, OpenOptions(stale: true))
        #expect(try copy.isReadOnly && copy.text(RecordID("note", "a")) == "old")
        var options = OpenOptions()
        options.acceptsRollback = true
        #expect(
            refusal { try open(first, options).acceptRollback() }
                == .rollback(found: found, expected: report.position)
        )
    }

    @Test func `nothing under the old key is left on the disk`() throws {
        try fill(10)
        let seals = try vault.raw { try $0.rows("SELECT seal FROM record").map { $0["seal"] } }
        let wrapped = try FileStoreRows.slots(vault).map(\.sealed)
        _ = try store.rekey(store.prepareRekey([.carried(1)]))
        #expect(store.noted.isEmpty)
        let bytes = ["", "-wal"].reduce(into: Data()) { all, ending in
            all += (try? Data(contentsOf: URL(fileURLWithPath: vault.paths.vault + ending))) ?? Data()
        }
        #expect(seals.count == 10 && wrapped.count == 1)
        for old in seals + wrapped { #expect(bytes.range(of: Data(old)) == nil) }
    }

    @Test func `a reader with a long view keeps the log, and that is noted`() throws {
        try fill(3)
        let reader = try vault.open(OpenOptions(readOnly: true))
        try reader.read { view throws(StoreError) in
            let before = try view.list(nil)
            _ = refusal { _ = try store.rekey(store.prepareRekey([.carried(1)])) }
            #expect(try view.list(nil) == before)
        }
        #expect(store.noted == [.logNotTruncated])
        #expect(try open(first).status().position.epoch == 2)
        #expect(refusal { _ = try reader.text(RecordID("note", "n1")) } == .rekeyed)
    }

    @Test func `drafts of a change that was stopped go with the next one`() throws {
        let stray = vault.paths.vault + ".new-0123456789ab"
        _ = FileManager.default.createFile(atPath: stray, contents: Data([1]))
        _ = try store.rekey(store.prepareRekey([.carried(1)]))
        #expect(!FileManager.default.fileExists(atPath: stray))
    }

    @Test func `neither vault key stays in memory`() throws {
        let scratch = try ScratchVault(9)
        func remember(_ epoch: UInt32) throws -> Int32 {
            let rows = try FileStoreRows.slots(scratch)
            let id = try #require(try scratch.raw { try $0.blob("SELECT vault_id FROM head") })
            let opened = try Keyslots(rows).unwrap(code(4), vaultID: id, epoch: epoch)
            let number = opened.vaultKey.withBytes { span in
                unsafe span.withUnsafeBytes { unsafe hsip_search_remember($0.baseAddress) }
            }
            // The control: the search does find it.
            #expect(hsip_search_count(number) > 0)
            withExtendedLifetime(opened.number) {}
            return number
        }
        let numbers: [Int32]
        do {
            let store = try FileStore.create(
                at: scratch.paths,
                slots: [NewSlot(code(4))],
                entropy: .system,
                now: { 1 }
            )
            try store.put(RecordID("note", "a"), "x")
            let old = try remember(1)
            _ = try store.rekey(store.prepareRekey([.carried(1)]))
            numbers = [old, try remember(2)]
            for number in numbers { #expect(hsip_search_count(number) == 0) }
            store.lock()
        }
        for number in numbers { #expect(hsip_search_count(number) == 0) }
    }
}
