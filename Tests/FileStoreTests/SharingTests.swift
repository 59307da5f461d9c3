import FileStore
import Foundation
import Glibc
import RecordStore
import Support
import Testing
import VaultCrypto

/// Several openers of one vault: threads, stores, processes.
@Suite struct SharingTests {
    /// Adds one to a number until `times` additions went through; says how often it had to try again.
    static func count(_ store: FileStore, _ id: RecordID, times: Int) throws -> Int {
        var (done, conflicts) = (0, 0)
        while done < times {
            let (floor, revision, value) = try store.read { reader throws(StoreError) in
                let record = try reader.find(id)
                let text = record.map { String(decoding: $0.body.withBytes { $0.copied() }, as: UTF8.self) }
                return (reader.floor, record?.info.revision ?? 0, text.flatMap { Int($0) } ?? 0)
            }
            let body = try Secret(copying: Array(String(value + 1).utf8))
            let change = Change.put(RecordDraft(id: id, body: body), expecting: revision)
            do throws(StoreError) {
                try store.commit(ChangeSet(floor: floor, changes: [change]))
                done += 1
            } catch {
                guard error == .conflict else { throw error }
                conflicts += 1
            }
        }
        return conflicts
    }

    @Test func `counting with compare-and-swap loses nothing between two stores and four threads`()
        async throws
    {
        let vault = try ScratchVault()
        let stores = [try vault.create(), try vault.open()]
        let id = try RecordID("n", "counter")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask { _ = try Self.count(stores[task % 2], id, times: 50) }
            }
            try await group.waitForAll()
        }
        #expect(try vault.open().text(id) == "200")
        #expect(try stores[0].verify().generation == 201)
        #expect(try vault.open(OpenOptions(requireAnchor: true)).noted.isEmpty)
    }

    @Test func `counting with compare-and-swap loses nothing between processes`() async throws {
        let vault = try ScratchVault()
        _ = try vault.create()
        let path = vault.scratch.path
        async let first = #expect(processExitsWith: .success) { [path = path as String] in
            try SharingTests.countInProcess(path)
        }
        async let second = #expect(processExitsWith: .success) { [path = path as String] in
            try SharingTests.countInProcess(path)
        }
        _ = await (first, second)
        #expect(try vault.open().text(RecordID("n", "counter")) == "100")
        #expect(try vault.open().verify().generation == 101)
    }

    static func countInProcess(_ path: String) throws {
        let store = try FileStore.open(
            at: VaultPaths(vault: path + "/vault/vault.hsipvault", anchorFolder: path + "/state"),
            withVaultKey: SecretBytes(copying: ScratchVault.vaultKey),
            entropy: .system,
            now: { 1 }
        )
        _ = try count(store, RecordID("n", "counter"), times: 50)
    }

    @Test func `one store sees what another has written`() throws {
        let vault = try ScratchVault()
        let (writer, reader) = (try vault.create(), try vault.open())
        let id = try RecordID("n", "a")
        for text in ["one", "two", "three"] {
            try writer.put(id, text)
            #expect(try reader.text(id) == text)
        }
        try writer.commit(ChangeSet(floor: 0, changes: [.delete(id, expecting: nil)]))
        #expect(try reader.text(id) == nil)
        #expect(try reader.verify().records == 0)
    }

    @Test func `a view stays as it was while another store writes`() throws {
        let vault = try ScratchVault()
        let (writer, reader) = (try vault.create(), try vault.open())
        let id = try RecordID("n", "a")
        try writer.put(id, "one")
        try reader.read { view throws(StoreError) in
            let before = try view.info(id)
            _ = refusal { try writer.put(id, "two") }
            #expect(try view.info(id) == before)
            #expect(try view.list(nil).first == before)
        }
        #expect(try reader.text(id) == "two")
    }

    @Test func `a slot added elsewhere is seen, and a change of slots meanwhile is a conflict`() throws {
        let vault = try ScratchVault()
        let (one, two) = (try vault.create(), try vault.open())
        let secret = Unlock.recovery(try Secret(copying: Array(repeating: 5, count: 16)))
        try one.addSlot(NewSlot(secret), unlock: .recovery(ScratchVault.code()))
        #expect(try two.slots().count == 2)
        #expect(try two.testSlot(secret) == 2)
    }
}
