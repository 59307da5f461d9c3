import FileStore
import Foundation
import RecordStore
import Testing
import VaultCrypto

/// A look at a vault, and opening it right after with the same connection.
@Suite struct FileOverviewTests {
    private let vault: ScratchVault

    init() throws {
        vault = try ScratchVault()
        try vault.create().lock()
    }

    private func open(
        _ paths: VaultPaths? = nil,
        _ options: OpenOptions = OpenOptions(),
        after overview: FileOverview?
    ) throws -> FileStore {
        try FileStore.open(
            at: paths ?? vault.paths,
            unlock: .recovery(try ScratchVault.code()),
            options: options,
            after: overview,
            entropy: vault.entropy,
            now: { ScratchVault.now }
        )
    }

    private func put(_ name: String, into store: FileStore) throws {
        let draft = RecordDraft(
            id: try RecordID("login", name),
            body: try Secret(copying: [1, 2, 3])
        )
        try store.commit(ChangeSet(floor: 0, changes: [.put(draft, expecting: 0)]))
    }

    private var hasLog: Bool { FileManager.default.fileExists(atPath: vault.paths.vault + "-shm") }

    @Test func `a kept connection is open until it is let go, and another one is not`() throws {
        let passing = try FileStore.overview(at: vault.paths)
        #expect(!hasLog)
        let kept = try FileStore.overview(at: vault.paths, keepsConnection: true)
        #expect(hasLog)
        #expect(kept == passing)
        kept.letGo()
        #expect(!hasLog)
    }

    @Test func `the connection that was kept writes, and is closed with the store`() throws {
        let overview = try FileStore.overview(at: vault.paths, keepsConnection: true)
        let store = try open(after: overview)
        try put("one", into: store)
        store.lock()
        #expect(!hasLog)
        let names = try open(after: nil).read { reader throws(StoreError) in
            try reader.list(nil).map(\.id.name)
        }
        #expect(names == ["one"])
    }

    @Test func `it serves once, and anyone who comes second connects again`() throws {
        let overview = try FileStore.overview(at: vault.paths, keepsConnection: true)
        let first = try open(after: overview)
        let second = try open(after: overview)
        try put("one", into: first)
        try put("two", into: second)
        first.lock()
        #expect(try second.read { reader throws(StoreError) in try reader.list(nil).count } == 2)
    }

    @Test func `a locked vault shows its slots by number and kind, and what hardware opens them`() throws {
        let device = try #require(
            TPM2Params(
                parent: .made,
                parentName: [UInt8](repeating: 6, count: 34),
                registers: 1 << 7,
                publicArea: [8, 8],
                privateArea: [9, 9, 9],
                hasPIN: true
            )
        )
        let salt = [UInt8](repeating: 5, count: 16)
        let secret = try Secret(copying: [UInt8](repeating: 4, count: 32))
        let store = try open(after: nil)
        let slot = NewSlot(.tpm(device), salt: salt, secret: secret, label: "workshop")
        let number = try store.addSlot(slot, unlock: .recovery(try ScratchVault.code()))
        store.lock()
        let slots = try FileStore.overview(at: vault.paths).slots
        #expect(slots.map(\.number) == [1, number] && slots.map(\.kind) == [.recovery, .tpm])
        #expect(slots.map(\.device) == [nil, .tpm(device)] && slots.map(\.salt) == [[], salt])
        let file = try Data(contentsOf: URL(fileURLWithPath: vault.paths.vault))
        #expect(file.range(of: Data("workshop".utf8)) == nil)
    }

    @Test func `for reading only it stays so`() throws {
        let overview = try FileStore.overview(at: vault.paths, keepsConnection: true)
        let store = try open(nil, OpenOptions(readOnly: true), after: overview)
        #expect(throws: StoreError.readOnly) { try put("one", into: store) }
    }

    @Test func `a look at one file opens no other`() throws {
        let other = try ScratchVault(2)
        try other.create().lock()
        let overview = try FileStore.overview(at: vault.paths, keepsConnection: true)
        let store = try open(other.paths, after: overview)
        try put("one", into: store)
        #expect(store.paths == other.paths)
        #expect(try open(after: nil).read { reader throws(StoreError) in try reader.list(nil).isEmpty })
    }
}
