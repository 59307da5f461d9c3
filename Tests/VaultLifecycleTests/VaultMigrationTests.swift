import FileStore
import Foundation
import Glibc
import RecordStore
import SecretServiceStore
import System
import Testing
import VaultCrypto

@testable import VaultLifecycle

/// A vault moved from one file to another, in one process.
@Suite struct VaultMigrationTests {
    private static let now: Int64 = 1_800_000_000
    private static let steps: [LifecycleStep] = [
        .writingNote, .makingRoom, .copyingRecords, .comparingRecords, .claiming, .writingRecord,
    ]

    /// A home with a vault of two records, and the way to move it.
    private struct Scene {
        let home: Home
        let store: FileStore

        init() throws {
            home = try Home()
            store = try home.makeStore(try Code.slot(1))
            var changes = ChangeSet(floor: try store.read { $0.floor })
            for name in ["one", "two"] {
                changes.put(
                    RecordDraft(
                        id: try RecordID("note", name),
                        label: name,
                        attributes: try Attributes([:]),
                        body: try Secret(copying: Array(name.utf8))
                    ),
                    expecting: 0
                )
            }
            try store.commit(changes)
        }

        var vault: VaultLocator { get throws { try home.locator() } }
        var target: VaultPlace { get throws { try home.locator("moved").place } }

        /// Moves the vault as it is found now.
        func migration(
            _ source: OpenedStore? = nil,
            showing progress: any VaultLifecycle.Progress = NoProgress(),
            signal: (any Interruption)? = nil
        ) throws -> VaultMigration {
            let record = try #require(try vault.settledRecord())
            return VaultMigration(
                of: source ?? .file(store),
                record,
                at: try vault,
                to: .file(try target, [try Code.slot(2)]),
                showing: progress,
                watch: { signal ?? Signal() },
                now: { VaultMigrationTests.now }
            )
        }

        /// Opens the file at a place by the code of its slot.
        func open(_ place: VaultPlace, _ byte: UInt8) throws -> FileStore {
            try FileStore.open(
                at: place.paths,
                unlock: try Code.unlock(byte),
                entropy: .system,
                now: SystemTime.milliseconds
            )
        }

        func names(_ store: FileStore) throws -> [String] {
            try store.read { reader throws(StoreError) in try reader.list(nil).map(\.label).sorted() }
        }

        /// The vault is at its old place, whole, and nothing is where it was going.
        func expectUnmoved() throws {
            let record = try vault.config.record(of: "vault")
            #expect(try record?.location == .file(vault.place.file))
            #expect(record?.move == nil && record?.kept == [])
            #expect(try names(open(vault.place, 1)) == ["one", "two"])
            #expect(try !Path.exists(target.file))
            #expect(try home.vaultFiles().filter { $0.contains(".new-") } == [])
        }

        /// The vault is at its new place, whole, and the old file is an old copy.
        func expectMoved() throws {
            let record = try #require(try vault.settledRecord())
            #expect(try record.location == .file(target.file))
            #expect(record.move == nil)
            #expect(try record.kept.map(\.location) == [.file(vault.place.file)])
            #expect(try names(open(target, 2)) == ["one", "two"])
            let error = #expect(throws: StoreError.self) { try open(vault.place, 1) }
            guard case .rollback = error else {
                Issue.record("the old file opens: \(String(describing: error))")
                return
            }
        }
    }

    /// A signal that comes after so many looks.
    private final class Signal: Interruption {
        /// How often it is still looked for in vain.
        private(set) var looks: Int
        private(set) var isStopped = false

        init(after looks: Int = .max) { self.looks = looks }

        var caught: Int32? {
            looks -= 1
            return looks < 0 ? SIGINT : nil
        }

        func stop() { isStopped = true }
    }

    @Test func `a vault that was moved is whole at its new place, and refused at the old one`() throws {
        let scene = try Scene()
        let signal = Signal()
        let migration = try scene.migration(signal: signal)
        let outcome = try migration.run()
        #expect(outcome.records == 2 && outcome.slots.count == 1 && outcome.position.epoch == 2)
        #expect(migration.mayCount && signal.isStopped)
        try scene.expectMoved()
        let kept = try #require(try scene.vault.config.record(of: "vault")?.kept.first)
        #expect(kept.until == Self.now + KeptCopy.span)
    }

    @Test(arguments: steps.dropLast()) func `a fault before the copy counts leaves nothing of it`(
        step: LifecycleStep
    ) throws {
        let scene = try Scene()
        let migration = try scene.migration(showing: Stumble(step: step, fault: .diskFull))
        #expect(throws: StoreError.diskFull) { try migration.run() }
        #expect(!migration.mayCount, "its secrets open nothing")
        try scene.expectUnmoved()
    }

    @Test func `a fault after the copy counts leaves it the vault`() throws {
        let scene = try Scene()
        let migration = try scene.migration(showing: Stumble(step: .writingRecord, fault: .diskFull))
        #expect(throws: StoreError.diskFull) { try migration.run() }
        #expect(migration.mayCount, "the secrets of the copy must not be thrown away")
        try scene.expectMoved()
    }

    @Test(arguments: steps) func `a crash at any step leaves the vault in one of the two places`(
        step: LifecycleStep
    ) throws {
        let scene = try Scene()
        let home = scene.home
        var copy: Result<String, any Error>?
        let progress = Stumble(step: step) { copy = Result { try home.copy() } }
        _ = try scene.migration(showing: progress).run()
        scene.store.lock()
        try home.putBack(try #require(copy).get())
        if step == .writingRecord { return try scene.expectMoved() }
        let again = try scene.open(scene.vault.place, 1)
        #expect(try scene.names(again) == ["one", "two"])
        // The same command goes on.
        _ = try scene.migration(.file(again)).run()
        again.lock()
        try scene.expectMoved()
    }

    @Test(arguments: [LifecycleStep.makingRoom, .comparingRecords, .claiming])
    func `what a crash left is taken away when it is not wanted any more`(step: LifecycleStep) throws {
        let scene = try Scene()
        let home = scene.home
        var copy: Result<String, any Error>?
        let progress = Stumble(step: step) { copy = Result { try home.copy() } }
        _ = try scene.migration(showing: progress).run()
        scene.store.lock()
        try home.putBack(try #require(copy).get())
        let record = try #require(try scene.vault.settledRecord())
        let note = try #require(record.move)
        try MigrationLeftovers(try scene.vault, .script).forget(note, of: record)
        try scene.expectUnmoved()
    }

    @Test func `a signal takes back what was begun`() throws {
        let scene = try Scene()
        let all = 1_000
        let counter = Signal(after: all)
        let other = try Scene()
        _ = try other.migration(signal: counter).run()
        try other.expectMoved()
        let looks = all - counter.looks
        #expect(looks > 3)
        for look in 0..<looks {
            let migration = try scene.migration(signal: Signal(after: look))
            #expect(throws: ProgramError.interrupted(signal: SIGINT)) { try migration.run() }
            #expect(!migration.mayCount)
            try scene.expectUnmoved()
        }
    }

    @Test func `what lies where the vault would go stays, and stops the move`() throws {
        let scene = try Scene()
        let target = try scene.target
        try "something else".write(toFile: target.file, atomically: false, encoding: .utf8)
        #expect(throws: MigrationError.taken(path: target.file)) { try scene.migration().run() }
        #expect(try String(contentsOfFile: target.file, encoding: .utf8) == "something else")
        #expect(try scene.vault.config.record(of: "vault")?.move == nil)
    }

    @Test func `a vault that another process moved meanwhile is not moved again`() throws {
        let scene = try Scene()
        let late = try scene.migration()
        _ = try scene.migration().run()
        #expect(throws: MigrationError.overtaken) { try late.run() }
        try scene.expectMoved()
    }

    @Test func `an old copy is removed before its time, and the vault stays`() throws {
        let scene = try Scene()
        _ = try scene.migration().run()
        scene.store.lock()
        let record = try #require(try scene.vault.settledRecord())
        let copy = try #require(record.kept.first)
        let leftovers = MigrationLeftovers(try scene.vault, .script)
        try leftovers.remove(copy, of: record)
        #expect(try !Path.exists(scene.vault.place.file))
        #expect(try scene.vault.settledRecord()?.kept == [])
        #expect(try scene.names(scene.open(scene.target, 2)) == ["one", "two"])
        #expect(throws: MigrationError.overtaken) { try leftovers.remove(copy, of: record) }
    }
}
