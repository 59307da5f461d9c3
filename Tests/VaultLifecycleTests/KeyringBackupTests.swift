import FileStore
import RecordStore
import SecretServiceStore
import Support
import System
import Testing
import VaultCrypto
import VaultKit

@testable import VaultLifecycle

/// Backups and rekeys of a vault in a real GNOME Keyring.
@Suite(.serialized) struct KeyringBackupTests {
    private static let now: Int64 = 1_800_000_000

    /// A home whose vault lies in a keyring of its own.
    private struct Scene {
        let keyring: ScratchKeyring
        let home: Home
        let locator: VaultLocator
        let service: SecretService
        let store: SecretServiceStore

        init() throws {
            keyring = try ScratchKeyring()
            home = try Home()
            for name in ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"] {
                home.variables[name] = keyring.environment[name]
            }
            locator = try home.locator()
            service = try locator.connect(.script)
            store = try SecretServiceStore.create(
                named: "vault",
                in: .standard,
                paths: locator.keyringPaths,
                service: service,
                natives: .credentials,
                entropy: .system,
                now: SystemTime.milliseconds
            )
            let collection = store.collection
            let record = VaultRecord(
                id: store.vaultID,
                collection: collection.path,
                label: collection.label
            )
            try locator.config.set(record, of: locator.place.key)
            try put("early")
        }

        var backup: String { home.path + "/vault.backup" }

        func record() throws -> VaultRecord { try #require(try locator.config.record(of: "vault")) }

        func put(_ name: String) throws {
            var changes = ChangeSet(floor: try store.read { $0.floor })
            let body = try Secret(copying: Array(name.utf8))
            changes.put(RecordDraft(id: try RecordID("note", name), body: body), expecting: 0)
            try store.commit(changes)
        }

        /// The names of the notes in the keyring, seen by a new reader.
        func notes() throws -> [String] {
            let opened = try VaultUnlocker(locator).open(by: nil, .script, now: KeyringBackupTests.now).store
            let kind = try RecordKind("note")
            return try opened.store.read { reader throws(StoreError) in try reader.list(kind) }.map(\.id.name)
        }

        /// The same of a backup, opened by its own passphrase.
        func notes(in file: String) throws -> [String] {
            let secret = try Secret(copying: Array(Home.passphrase.utf8))
            let opened = try BackupReading(file).open(.passphrase(secret))
            let kind = try RecordKind("note")
            return try opened.read { reader throws(StoreError) in try reader.list(kind) }.map(\.id.name)
        }

        func copies() throws -> KeyringCopies {
            let copies = KeyringCopies(store)
            if try copies.hasKey() { return copies }
            let secret = try Secret(copying: Array(Home.passphrase.utf8))
            try copies.makeKey([
                NewSlot(.passphrase(secret), label: "passphrase", parameters: PasswordHash.floor),
                try Code.slot(1),
            ])
            return copies
        }

        func backUp() throws -> VerifyReport {
            try VaultBackup(backup, at: locator.place, replaces: true)
                .write(copies(), showing: NoProgress(), now: KeyringBackupTests.now)
        }

        func restore(acceptsRollback: Bool = true, replaces: Bool = true) throws -> KeyringRestore.Outcome {
            let restore = try KeyringRestore(
                backup,
                over: record(),
                at: locator,
                replaces: replaces,
                now: KeyringBackupTests.now
            )
            let typed = GivenSecret(try Secret(copying: Array(Home.passphrase.utf8)))
            let opened = try restore.open(by: typed, VaultUnlocker(locator))
            return try restore.place(
                opened,
                .script,
                acceptsRollback: acceptsRollback,
                now: KeyringBackupTests.now
            )
        }
    }

    @Test func `a backup of the keyring is a file with slots of its own, and the next one opens by the same`()
        throws
    {
        let scene = try Scene()
        #expect(throws: StoreError.noSuchSlot) {
            try KeyringCopies(scene.store).write(to: scene.backup, replaces: false)
        }
        let report = try scene.backUp()
        #expect(report.records == 2 && report.slots == 2 && report.damaged.isEmpty)
        #expect(try report.position == scene.store.status().position)
        #expect(try scene.notes(in: scene.backup) == ["early"])
        try scene.put("late")
        #expect(try scene.backUp().generation == report.generation + 1)
        #expect(try scene.notes(in: scene.backup) == ["early", "late"])
        _ = try BackupReading(scene.backup).open(Code.unlock(1))
        #expect(throws: StoreError.wrongSecret) { try BackupReading(scene.backup).open(Code.unlock(2)) }
    }

    @Test func `a restore keeps what the keyring had, and a newer state is undone only if that is accepted`()
        throws
    {
        let scene = try Scene()
        let report = try scene.backUp()
        try scene.put("late")
        let newest = try scene.store.status().position
        #expect(throws: RestoreError.inUse) { try scene.restore(replaces: false) }
        #expect(throws: StoreError.rollback(found: report.position, expected: newest)) {
            try scene.restore(acceptsRollback: false)
        }
        #expect(try scene.notes() == ["early", "late"])
        let outcome = try scene.restore()
        #expect(outcome.position == Position(epoch: 1, generation: newest.generation + 1))
        #expect(outcome.records == 2 && outcome.damaged.isEmpty)
        #expect(try scene.notes() == ["early"])
        #expect(try scene.notes(in: #require(outcome.kept)) == ["early", "late"])
        // Its backups go on opening by what they did.
        #expect(try KeyringCopies(scene.store).hasKey())
        #expect(try scene.store.status().floor == outcome.position.generation)
    }

    @Test func `a keyring that has lost the vault gets it back from a backup`() throws {
        let scene = try Scene()
        let report = try scene.backUp()
        try SecretServiceStore.erase(
            vaultID: scene.store.vaultID,
            service: scene.service,
            paths: scene.locator.keyringPaths
        )
        #expect(throws: OpeningError.self) { try scene.notes() }
        let outcome = try scene.restore(acceptsRollback: false)
        #expect(outcome.kept == nil && outcome.records == 2)
        #expect(outcome.position == Position(epoch: 1, generation: report.generation + 1))
        #expect(try scene.notes() == ["early"])
    }

    @Test func `a backup of another vault, or a vault with its log, takes no place in the keyring`() throws {
        let (scene, other) = (try Scene(), try Scene())
        _ = try other.backUp()
        #expect(throws: RestoreError.otherVault) {
            try KeyringRestore(
                other.backup,
                over: scene.record(),
                at: scene.locator,
                replaces: true,
                now: Self.now
            )
        }
        #expect(throws: RestoreError.noBackup) { try scene.restore() }
    }

    @Test func `a folder of backups gets a copy where something has changed`() throws {
        let scene = try Scene()
        let folder = scene.home.path + "/backups"
        try Home.makeFolder(folder)
        let found = FoundVault.keyring(try scene.record())
        let retention = try #require(Retention(newest: 1, monthly: 0))
        func run(_ seconds: Int64) throws -> FolderBackup.Outcome {
            try FolderBackup(folder, of: found, at: scene.locator.place)
                .run(scene.copies(), keeping: retention, showing: NoProgress(), now: Self.now + seconds)
        }
        let first = try run(0)
        #expect(first.made.isNew && first.made.check == .full && first.left == 1)
        #expect(try !run(1).made.isNew)
        try scene.put("late")
        let second = try run(2)
        #expect(second.made.isNew && second.removed == [first.made.copy.path] && second.left == 1)
        #expect(try scene.notes(in: second.made.copy.path) == ["early", "late"])
    }

    @Test func `after a rekey backups have a new key, and one from before is refused in any case`()
        async throws
    {
        let scene = try Scene()
        let report = try scene.backUp()
        let secret = try Secret(copying: Array(Home.passphrase.utf8))
        let rekey = try KeyringRekey(
            scene.store,
            at: scene.locator,
            typed: .passphrase(secret),
            now: Self.now
        )
        #expect(rekey.records == 2 && rekey.openOffers == 0 && rekey.isBackedUpFurther)
        #expect(rekey.fates.map(\.stays) == [true, true])
        let outcome = try await rekey.run(Vault(store: scene.store, auditFolder: nil), now: Self.now)
        #expect(outcome.position == Position(epoch: 2, generation: report.generation + 1))
        #expect(outcome.records == 2 && outcome.offersClosed == 0)
        #expect(try scene.record().rekeyedAt == Self.now)
        #expect(try KeyringCopies(scene.store).hasKey())
        #expect(try scene.notes() == ["early"])
        #expect(throws: StoreError.rollback(found: report.position, expected: outcome.position)) {
            try scene.restore()
        }
        #expect(try scene.notes(in: scene.backup) == ["early"])
        #expect(try scene.backUp().position.epoch == 2)
        _ = try BackupReading(scene.backup).open(Code.unlock(1))
        _ = try scene.restore()
    }

    @Test func `a rekey that is told no passphrase carries the code on paper, and a fresh one nothing`()
        async throws
    {
        let scene = try Scene()
        _ = try scene.copies()
        let folder = scene.home.path + "/backups"
        try Home.makeFolder(folder)
        let found = FoundVault.keyring(try scene.record())
        let retention = try #require(Retention(newest: 7, monthly: 0))
        _ = try FolderBackup(folder, of: found, at: scene.locator.place)
            .run(scene.copies(), keeping: retention, showing: NoProgress(), now: Self.now)
        let other = try VaultUnlocker(scene.locator).open(by: nil, .script, now: Self.now).store
        let rekey = try KeyringRekey(scene.store, at: scene.locator, now: Self.now)
        #expect(rekey.fates.map(\.slot.kind.isRecovery) == [false, true])
        #expect(rekey.fates.map(\.stays) == [false, true])
        _ = try await rekey.run(Vault(store: scene.store, auditFolder: nil), now: Self.now)
        // A process that had it open opens it again.
        #expect(throws: StoreError.rekeyed) { try other.store.read { $0.generation } }
        let attempts = FirstBackups.make(
            of: KeyringCopies(scene.store),
            found,
            at: scene.locator.place,
            showing: NoProgress(),
            now: Self.now
        )
        #expect(attempts.map(\.folder) == [folder])
        let first = try #require(try attempts.first?.result.get().made)
        #expect(first.isNew && first.check == .full && first.copy.name.epoch == 2 && first.slots == 1)
        _ = try BackupReading(first.copy.path).open(Code.unlock(1))
        #expect(throws: StoreError.noSuchSlot) { try scene.notes(in: first.copy.path) }
        let secret = try Secret(copying: Array(Home.passphrase.utf8))
        #expect(throws: StoreError.noSuchSlot) {
            try KeyringRekey(scene.store, at: scene.locator, typed: .passphrase(secret), now: Self.now)
        }
        let fresh = try KeyringRekey(scene.store, at: scene.locator, isFresh: true, now: Self.now)
        #expect(!fresh.isBackedUpFurther && fresh.fates.map(\.stays) == [false])
        let outcome = try await fresh.run(Vault(store: scene.store, auditFolder: nil), now: Self.now)
        #expect(outcome.position.epoch == 3)
        #expect(try !KeyringCopies(scene.store).hasKey())
    }

    @Test func `a backup of the keyring becomes a vault file elsewhere, and a backup of that comes back`()
        throws
    {
        let scene = try Scene()
        let report = try scene.backUp()
        // Another machine, without a keyring.
        let away = try Home()
        let restore = try VaultRestore.begin(
            scene.backup,
            at: away.locator(),
            replaces: false,
            now: Self.now
        )
        let typed = GivenSecret(try Secret(copying: Array(Home.passphrase.utf8)))
        let (opened, _) = try restore.open(by: typed, away.unlocker())
        _ = try restore.place(opened, acceptsRollback: false, showing: NoProgress(), now: Self.now)
        let place = try away.locator().place
        let file = try away.unlocker()
            .open(with: .passphrase(Secret(copying: Array(Home.passphrase.utf8))))
        #expect(file.vaultID == scene.store.vaultID)
        var changes = ChangeSet(floor: try file.read { $0.floor })
        let body = try Secret(copying: [1])
        changes.put(RecordDraft(id: try RecordID("note", "away"), body: body), expecting: 0)
        try file.commit(changes)
        _ = try VaultBackup(scene.backup, at: place, replaces: true)
            .write(file, showing: NoProgress(), now: Self.now)
        // It is newer than what the keyring has.
        let outcome = try scene.restore(acceptsRollback: false)
        #expect(outcome.position.generation > report.generation + 1)
        #expect(try scene.notes() == ["away", "early"])
    }
}
