import FileStore
import Foundation
import RecordStore
import Testing
import VaultCrypto

@testable import VaultLifecycle

/// A backup put in the place of a vault, in one process.
@Suite struct VaultRestoreTests {
    private static let now: Int64 = 1_800_000_000

    /// A home with a vault, a backup of it, and one record that came later.
    private struct Scene {
        let home: Home
        let store: FileStore
        let backup: String

        init() throws {
            home = try Home()
            store = try home.makeStore(try Code.slot(1))
            backup = home.path + "/vault.backup"
            try put("early")
            _ = try store.backUp(to: backup)
            try put("late")
        }

        func put(_ name: String) throws {
            var changes = ChangeSet(floor: try store.read { $0.floor })
            changes.put(
                RecordDraft(
                    id: try RecordID("note", name),
                    label: name,
                    attributes: try Attributes([:]),
                    body: try Secret(copying: Array(name.utf8))
                ),
                expecting: 0
            )
            try store.commit(changes)
        }

        func begin(replaces: Bool = true) throws -> VaultRestore {
            try VaultRestore.begin(
                backup,
                at: home.locator(),
                replaces: replaces,
                now: VaultRestoreTests.now
            )
        }

        /// Begins, opens and places it.
        @discardableResult
        func restore(
            accepts: Bool = true,
            replaces: Bool = true,
            showing progress: any VaultLifecycle.Progress = NoProgress()
        ) throws -> VaultRestore.Outcome {
            let restore = try begin(replaces: replaces)
            let opened = try restore.open(by: TypedCode(byte: 1), home.unlocker()).backup
            return try restore.place(
                opened,
                acceptsRollback: accepts,
                showing: progress,
                now: VaultRestoreTests.now
            )
        }

        /// What a vault file holds, opened for reading whatever was seen of it.
        func names(_ path: String? = nil) throws -> [String] {
            let paths = try home.locator().place.paths
            let store = try FileStore.open(
                at: VaultPaths(vault: path ?? paths.vault, anchorFolder: paths.anchorFolder),
                unlock: try Code.unlock(1),
                options: OpenOptions(readOnly: true, stale: true),
                entropy: .system,
                now: SystemTime.milliseconds
            )
            defer { store.lock() }
            return try store.read { reader throws(StoreError) in try reader.list(nil).map(\.label).sorted() }
        }

        /// Nothing was touched: both records are there, and no copy or draft beside them.
        func expectUntouched() throws {
            #expect(try names() == ["early", "late"])
            let others = try home.vaultFiles().filter { $0.contains(".before-") || $0.contains(".new-") }
            #expect(others == [])
        }
    }

    /// The recovery code of a slot, as its owner types it.
    private struct TypedCode: SecretSource {
        let byte: UInt8
        var isNamed: Bool { true }

        func secret(attempt: Int) throws(OpeningError) -> SecretBytes {
            do throws(CryptoError) {
                let secret = try Secret(copying: [UInt8](repeating: byte, count: 16))
                return try RecoveryText.encode(secret)
            } catch {
                throw .store(.outOfMemory)
            }
        }
    }

    @Test func `a backup takes the vault's place, and what was there is kept`() throws {
        let scene = try Scene()
        let outcome = try scene.restore()
        #expect(outcome.report.records == 1 && outcome.vaultID == scene.store.vaultID)
        #expect(outcome.report.generation > outcome.backup.generation)
        #expect(try scene.names() == ["early"])
        let kept = try #require(outcome.kept)
        #expect(kept.contains(".before-2027"))
        #expect(try scene.names(kept) == ["early", "late"])
    }

    @Test func `something newer is undone only where that is meant`() throws {
        let scene = try Scene()
        let error = #expect(throws: StoreError.self) { try scene.restore(accepts: false) }
        guard case .rollback = error else {
            Issue.record("undone: \(String(describing: error))")
            return
        }
        try scene.expectUntouched()
    }

    @Test func `a vault is not replaced unasked`() throws {
        let scene = try Scene()
        let file = try scene.home.locator().place.file
        #expect(throws: RestoreError.occupied(path: file)) { try scene.restore(replaces: false) }
        try scene.expectUntouched()
    }

    @Test func `a secret that does not open the backup touches nothing`() throws {
        let scene = try Scene()
        func attempt() throws {
            let restore = try scene.begin()
            _ = try restore.open(by: TypedCode(byte: 9), scene.home.unlocker())
        }
        #expect(throws: OpeningError.store(.wrongSecret)) { try attempt() }
        try scene.expectUntouched()
    }

    @Test func `a backup that was opened and not placed leaves nothing`() throws {
        let scene = try Scene()
        func look() throws -> VerifyReport {
            let restore = try scene.begin()
            return try restore.open(by: TypedCode(byte: 1), scene.home.unlocker()).backup.report
        }
        #expect(try look().records == 1)
        try scene.expectUntouched()
    }

    @Test func `a commit between the look and the placing is not undone unseen`() throws {
        let scene = try Scene()
        func race() throws {
            let restore = try scene.begin()
            let opened = try restore.open(by: TypedCode(byte: 1), scene.home.unlocker())
            try scene.put("in between")
            _ = try restore.place(opened.backup, acceptsRollback: false, now: Self.now)
        }
        #expect(throws: StoreError.self) { try race() }
        #expect(try scene.names() == ["early", "in between", "late"])
    }

    @Test func `the vault itself, a vault with a log, and no file are no backups`() throws {
        let scene = try Scene()
        let locator = try scene.home.locator()
        func begin(_ file: String) throws {
            _ = try VaultRestore.begin(file, at: locator, replaces: true, now: Self.now)
        }
        #expect(throws: RestoreError.isVault) { try begin(locator.place.file) }
        #expect(throws: RestoreError.noBackup) { try begin(scene.home.path + "/nothing") }
        try Data([1]).write(to: URL(fileURLWithPath: scene.backup + "-wal"))
        #expect(throws: RestoreError.hasLog(path: scene.backup)) { try begin(scene.backup) }
        try scene.expectUntouched()
    }

    @Test func `a log without its vault is not lost under a backup`() throws {
        let scene = try Scene()
        scene.store.lock()
        let file = try scene.home.locator().place.file
        try FileManager.default.removeItem(atPath: file)
        try Data([1]).write(to: URL(fileURLWithPath: file + "-wal"))
        #expect(throws: RestoreError.strayLog(path: file + "-wal")) { try scene.restore() }
        #expect(!Path.exists(file))
    }

    @Test func `there are no two files of one vault`() throws {
        let scene = try Scene()
        #expect(throws: RestoreError.twin(name: "vault")) {
            _ = try VaultRestore.begin(
                scene.backup,
                at: scene.home.locator("other"),
                replaces: false,
                now: Self.now
            )
        }
        #expect(try scene.home.vaultFiles().filter { $0.hasPrefix("other") } == [])
    }

    @Test func `a crash before the record leaves a vault that doctor can adopt`() throws {
        let scene = try Scene()
        let home = scene.home
        scene.store.lock()
        // A machine that never saw this vault.
        let locator = try home.locator()
        try FileManager.default.removeItem(atPath: home.path + "/.local")
        try locator.config.set(nil, of: "vault")
        var copy: Result<String, any Error>?
        try scene.restore(showing: Stumble(step: .writingRecord) { copy = Result { try home.copy() } })
        #expect(try locator.config.record(of: "vault")?.id == scene.store.vaultID)
        try home.putBack(try #require(copy).get())
        #expect(throws: OpeningError.misplaced(.unrecorded(file: locator.place.file))) { try locator.find() }
        #expect(try scene.names() == ["early"])
    }
}
