import FileStore
import Foundation
import RecordStore
import Support
import Synchronization
import Testing
import VaultCrypto

/// What a vault file does for a move: it stands still, gives its place free, and leaves no drafts.
@Suite struct MovingTests {
    private let vault: ScratchVault
    private let id: RecordID

    init() throws {
        vault = try ScratchVault()
        id = try RecordID("login", "a")
    }

    private var folder: String { vault.scratch.path + "/vault" }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    @Test func `a vault that is held is read, and written only afterwards`() async throws {
        let store = try vault.create()
        try store.put(id, "before")
        let isHeld = Mutex(false)
        let writer = try vault.open()
        let (begun, began) = AsyncStream.makeStream(of: Void.self)
        let written = Task.detached {
            began.finish()
            try writer.put(try RecordID("login", "b"), "meanwhile")
            return isHeld.withLock { $0 }
        }
        for await _ in begun {}
        let (text, position) = try store.hold { reader, position throws(StoreError) in
            isHeld.withLock { $0 = true }
            defer { isHeld.withLock { $0 = false } }
            let record = try reader.find(id)
            return (record?.body.withBytes { $0.copied() }, position)
        }
        #expect(text == Array("before".utf8))
        #expect(position.epoch == 1 && (2...3).contains(position.generation))
        #expect(try await written.value == false)
        #expect(try store.text(RecordID("login", "b")) == "meanwhile")
        #expect(try store.verify().records == 2)
    }

    @Test func `a failure while it is held changes nothing`() throws {
        let store = try vault.create()
        try store.put(id, "x")
        #expect(
            refusal { _ = try store.hold { _, _ throws(StoreError) in throw .keyringDied } } == .keyringDied
        )
        #expect(try store.put(id, "y") == 3)
    }

    @Test func `a copy that is old or only read is not held`() throws {
        let store = try vault.create()
        try store.put(id, "x")
        let old = try vault.snapshot()
        try store.put(id, "y")
        let reading = try vault.open(OpenOptions(readOnly: true))
        #expect(refusal { try reading.hold { _, _ in } } == .readOnly)
        store.lock()
        reading.lock()
        try vault.restore(old)
        #expect(refusal { try vault.open(OpenOptions(stale: true)).hold { _, _ in } } == .readOnly)
    }

    @Test func `a source whose copy was claimed is not held again`() throws {
        let source = try vault.create()
        try source.put(id, "x")
        let paths = VaultPaths(vault: folder + "/copy", anchorFolder: vault.paths.anchorFolder)
        let slot = try ScratchVault.slot()
        let next = try source.hold { reader, position throws(StoreError) in
            let next = Position(epoch: 2, generation: position.generation + 1)
            try FileStore.create(
                at: paths,
                vaultID: source.vaultID,
                adopting: reader,
                position: next,
                slots: [slot],
                entropy: vault.entropy,
                now: { ScratchVault.now }
            ).claim()
            return next
        }
        let found = Position(epoch: 1, generation: next.generation - 1)
        #expect(refusal { try source.hold { _, _ in } } == .rollback(found: found, expected: next))
    }

    @Test func `drafts go, the second name of a whole file too, and nothing else`() throws {
        try vault.create().lock()
        let path = vault.paths.vault
        let drafts = ["new-0123456789ab", "new-0123456789ab-journal"].map { "\(path).\($0)" }
        let others = ["new-", "new-0123456789abc", "new-0123456789xy", "new-0123456789ab-wal", "kept"]
            .map { "\(path).\($0)" }
        try FileManager.default.linkItem(atPath: path, toPath: drafts[0])
        for name in [drafts[1]] + others { try Data([1]).write(to: URL(fileURLWithPath: name)) }
        #expect(refusal { _ = try vault.open() } == .unsafeFile(path: path, .hardLinks(2)))
        try FileStore.removeDrafts(at: vault.paths)
        #expect(
            try files() == (["vault.hsipvault"] + others.map { ($0 as NSString).lastPathComponent }).sorted()
        )
        #expect(try vault.open().vaultID == ScratchVault.vaultID)
        try FileStore.removeDrafts(at: VaultPaths(vault: folder + "/none/v", anchorFolder: folder))
    }

    @Test func `a file that moves aside takes along what is in its log`() throws {
        let store = try vault.create()
        try store.put(id, "in the log")
        let aside = folder + "/aside"
        try Data([1]).write(to: URL(fileURLWithPath: aside))
        #expect(refusal { try FileStore.moveAside(vault.paths, to: aside) } == .alreadyExists)
        #expect(try vault.open().text(id) == "in the log")
        try FileManager.default.removeItem(atPath: aside)
        try FileStore.moveAside(vault.paths, to: aside)
        #expect(try files() == ["aside"])
        store.lock()
        let moved = try FileStore.open(
            at: VaultPaths(vault: aside, anchorFolder: vault.paths.anchorFolder),
            withVaultKey: SecretBytes(copying: ScratchVault.vaultKey),
            entropy: vault.entropy,
            now: { ScratchVault.now }
        )
        #expect(try moved.text(id) == "in the log")
        moved.lock()
        try FileStore.remove(aside)
        #expect(try files() == [])
        try FileStore.remove(aside)
    }
}
