import FileStore
import Foundation
import RecordStore
import Testing
import VaultCrypto

/// A look at a vault, and opening it right after with the same connection.
@Suite struct GlanceTests {
    private let vault: ScratchVault

    init() throws {
        vault = try ScratchVault()
        try vault.create().lock()
    }

    private func open(
        _ paths: VaultPaths? = nil,
        _ options: OpenOptions = OpenOptions(),
        after glance: FileGlance?
    ) throws -> FileStore {
        try FileStore.open(
            at: paths ?? vault.paths,
            unlock: .recovery(try ScratchVault.code()),
            options: options,
            after: glance,
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
        let passing = try FileStore.glance(at: vault.paths)
        #expect(!hasLog)
        let kept = try FileStore.glance(at: vault.paths, keepsConnection: true)
        #expect(hasLog)
        #expect(kept == passing)
        kept.letGo()
        #expect(!hasLog)
    }

    @Test func `the connection that was kept writes, and is closed with the store`() throws {
        let glance = try FileStore.glance(at: vault.paths, keepsConnection: true)
        let store = try open(after: glance)
        try put("one", into: store)
        store.lock()
        #expect(!hasLog)
        let names = try open(after: nil).read { reader throws(StoreError) in
            try reader.list(nil).map(\.id.name)
        }
        #expect(names == ["one"])
    }

    @Test func `it serves once, and anyone who comes second connects again`() throws {
        let glance = try FileStore.glance(at: vault.paths, keepsConnection: true)
        let first = try open(after: glance)
        let second = try open(after: glance)
        try put("one", into: first)
        try put("two", into: second)
        first.lock()
        #expect(try second.read { reader throws(StoreError) in try reader.list(nil).count } == 2)
    }

    @Test func `for reading only it stays so`() throws {
        let glance = try FileStore.glance(at: vault.paths, keepsConnection: true)
        let store = try open(nil, OpenOptions(readOnly: true), after: glance)
        #expect(throws: StoreError.readOnly) { try put("one", into: store) }
    }

    @Test func `a look at one file opens no other`() throws {
        let other = try ScratchVault(2)
        try other.create().lock()
        let glance = try FileStore.glance(at: vault.paths, keepsConnection: true)
        let store = try open(other.paths, after: glance)
        try put("one", into: store)
        #expect(store.paths == other.paths)
        #expect(try open(after: nil).read { reader throws(StoreError) in try reader.list(nil).isEmpty })
    }
}
