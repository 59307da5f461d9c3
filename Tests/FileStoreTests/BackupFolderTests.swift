@testable import FileStore
import Files
import Foundation
import Glibc
import RecordStore
import Support
import Testing
import VaultCrypto

/// A folder of backups, with whatever else lies in it.
@Suite struct BackupFolderTests {
    private let vault: ScratchVault
    private let path: String
    private let id: RecordID
    /// 2026-11-22T18:04:00Z.
    private let time: Int64 = 1_795_370_640

    init() throws {
        vault = try ScratchVault()
        path = vault.scratch.path + "/copies"
        id = try RecordID("login", "a")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    private func folder() throws -> BackupFolder { try BackupFolder(path, label: "vault") }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    private func retention(_ newest: Int, _ monthly: Int = 0) throws -> Retention {
        try #require(Retention(newest: newest, monthly: monthly))
    }

    /// Copies the vault, and lets go what is not to be kept; nothing is remembered of other copies.
    private func backUp(_ store: FileStore, after seconds: Int64 = 0, newest: Int = 2) throws -> MadeBackup {
        let made = try store.backUp(into: folder(), at: time + seconds)
        _ = try store.thin(folder(), after: made, keeping: retention(newest)) { _ in false }
        return made
    }

    /// A copy without keys.
    private func backUpSealed(after seconds: Int64 = 0) throws -> MadeBackup {
        try SealedVault(vault.paths, entropy: vault.entropy)
            .backUp(into: folder(), at: time + seconds) { _ in nil }
    }

    /// Writes over a file in place, as a disk or an enemy would.
    private func overwrite(_ file: String, _ bytes: Data, with other: Data) throws {
        var data = try Data(contentsOf: URL(fileURLWithPath: file))
        let range = try #require(data.range(of: bytes))
        data.replaceSubrange(range, with: other)
        try data.write(to: URL(fileURLWithPath: file))
    }

    @Test func `a copy bears time and generation, and is written again only after a change`() throws {
        let store = try vault.create()
        try store.put(id, "one")
        let first = try backUp(store)
        let generation = try store.status().position.generation
        #expect(first.isNew && first.check == .full && first.generation == generation)
        #expect(try names() == ["vault-20261122T180400Z-1.\(generation).hsipbackup"])
        let again = try backUp(store, after: 60)
        #expect(!again.isNew && again.check == .full && again.copy.path == first.copy.path)
        try store.put(id, "two")
        #expect(try backUp(store, after: 60).isNew)
        #expect(try names().count == 2)
        #expect(first.copy.facts.mode == 0o600)
    }

    @Test func `only the wanted number stays, the newest`() throws {
        let store = try vault.create()
        var made: [String] = []
        for number in 0..<5 {
            try store.put(id, "\(number)")
            made.append(try backUp(store, after: Int64(number)).copy.name.text)
        }
        #expect(try names() == Array(made.suffix(2)))
    }

    @Test func `two copies of one second have names of their own`() throws {
        let store = try vault.create()
        try store.put(id, "one")
        let first = try backUp(store)
        // The same name, taken by something else.
        try FileManager.default.removeItem(atPath: first.copy.path)
        try FileManager.default.createDirectory(atPath: first.copy.path, withIntermediateDirectories: false)
        let second = try backUp(store)
        #expect(second.isNew && second.copy.name.time == time + 1)
    }

    @Test func `what is no copy of this vault is never touched, and counts for nothing`() throws {
        let store = try vault.create()
        try store.put(id, "one")
        let first = try backUp(store, newest: 1)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: first.copy.path))
        let manager = FileManager.default
        func name(_ generation: UInt64, _ epoch: UInt32 = 1, _ label: String = "vault") -> String {
            let name = BackupName(label: label, time: time, epoch: epoch, generation: generation)
            return "\(path)/\(name.text)"
        }
        // The genuine bytes under names that their head does not bear out.
        try bytes.write(to: URL(fileURLWithPath: name(1_000)))
        try bytes.write(to: URL(fileURLWithPath: name(first.generation ?? 0, 2)))
        try bytes.write(to: URL(fileURLWithPath: name(first.generation ?? 0, 1, "other")))
        // A genuine head over damaged rows, of the newest generation there is.
        try store.put(id, "two")
        let damaged = name(try store.status().position.generation)
        _ = try store.backUp(to: damaged)
        let seal = try Database(damaged, isImmutable: true).statement("SELECT body FROM record LIMIT 1")
            .first { row throws(StoreError) in try row.bytes(0) }
        try overwrite(damaged, Data(try #require(seal)), with: Data(repeating: 7, count: seal?.count ?? 0))
        try manager.createSymbolicLink(atPath: name(2_000), withDestinationPath: first.copy.path)
        let made = unsafe mkfifo(name(3_000), 0o600)
        #expect(made == 0)
        try manager.createDirectory(atPath: name(4_000), withIntermediateDirectories: false)
        try Data("no vault at all".utf8).write(to: URL(fileURLWithPath: name(5_000)))
        try Data().write(to: URL(fileURLWithPath: name(6_000)))
        try Data("letters".utf8).write(to: URL(fileURLWithPath: path + "/vault.hsipvault"))
        let foreign = Set(try names()).subtracting([first.copy.name.text])
        try store.put(id, "three")
        let last = try backUp(store, after: 9, newest: 1)
        #expect(last.isNew)
        #expect(Set(try names()) == foreign.union([last.copy.name.text]))
    }

    @Test func `copies of another vault under the same name stay`() throws {
        let other = try ScratchVault(2)
        let theirs = try FileStore.create(
            at: other.paths,
            vaultID: (0..<16).map { $0 },
            vaultKey: SecretBytes(copying: ScratchVault.vaultKey),
            slots: [ScratchVault.slot()],
            entropy: other.entropy,
            now: { ScratchVault.now }
        )
        try theirs.put(id, "theirs")
        _ = try backUp(theirs, newest: 1)
        let store = try vault.create()
        for number in 0..<3 {
            try store.put(id, "\(number)")
            _ = try backUp(store, after: 1 + Int64(number), newest: 1)
        }
        #expect(try names().count == 2)
        try theirs.put(id, "again")
        _ = try backUp(theirs, after: 9, newest: 1)
        #expect(try names().count == 2)
    }

    @Test func `a copy without keys lets nothing go, and is read whole when the keys are here`() throws {
        let store = try vault.create()
        var full: [String] = []
        for number in 0..<2 {
            try store.put(id, "\(number)")
            full.append(try backUp(store, after: Int64(number)).copy.name.text)
        }
        for number in 2..<6 {
            try store.put(id, "\(number)")
            let made = try backUpSealed(after: Int64(number))
            #expect(made.isNew && made.check == .structure && made.records == 1 && made.slots == 1)
            #expect(made.generation == (try store.status().position.generation))
            #expect(try !backUpSealed(after: 60).isNew)
        }
        #expect(try names().count == 6 && Set(names()).isSuperset(of: full))
        let unchanged = try backUp(store, after: 90)
        #expect(!unchanged.isNew && unchanged.check == .full)
        #expect(try names().count == 2)
    }

    @Test func `without an anchor a copy without keys has no number, and is found all the same`() throws {
        let store = try vault.create()
        try store.put(id, "one")
        store.lock()
        try vault.removeAnchor()
        let made = try backUpSealed()
        #expect(made.generation == nil && made.copy.name.generation == 0)
        #expect(try !backUpSealed(after: 5).isNew)
    }

    @Test func `a copy without a number is found however many others there are`() throws {
        let store = try vault.create()
        try store.put(id, "one")
        let first = try store.status().position.generation
        for number in 1...UInt64(BackupFolder.maximum) {
            let name = BackupName(label: "vault", time: time, epoch: 1, generation: first + number)
            try Data().write(to: URL(fileURLWithPath: "\(path)/\(name.text)"))
        }
        store.lock()
        try vault.removeAnchor()
        #expect(try backUpSealed().copy.name.generation == 0)
        #expect(try !backUpSealed(after: 5).isNew)
        #expect(try names().count == BackupFolder.maximum + 1)
    }

    @Test func `a folder of which no names can be synced takes a copy all the same`() throws {
        // This file system knows no such thing, as some of FUSE do not.
        try Folder.sync("/proc", or: StoreError.self)
        #expect(throws: StoreError.notFound) { try Folder.sync(path + "/gone", or: StoreError.self) }
    }

    @Test func `a copy that lost its rows is not taken for the present one`() throws {
        let store = try vault.create()
        try store.put(id, "one")
        let first = try backUp(store)
        let data = try Data(contentsOf: URL(fileURLWithPath: first.copy.path))
        let seal = try #require(
            try Database(first.copy.path, isImmutable: true).statement("SELECT body FROM record LIMIT 1")
                .first { row throws(StoreError) in try row.bytes(0) }
        )
        try overwrite(first.copy.path, Data(seal), with: Data(repeating: 1, count: seal.count))
        let second = try backUp(store, after: 1)
        #expect(second.isNew && second.check == .full)
        try data.write(to: URL(fileURLWithPath: first.copy.path))
        #expect(try !store.backUp(into: folder(), at: time + 9).isNew)
    }

    @Test func `an older copy does not go where the newest one has lost its rows since it was read`() throws {
        let store = try vault.create()
        try store.put(id, "one")
        let older = try backUp(store)
        try store.put(id, "two")
        let newest = try backUp(store, after: 1)
        let seal = try #require(
            try Database(newest.copy.path, isImmutable: true).statement("SELECT body FROM record LIMIT 1")
                .first { row throws(StoreError) in try row.bytes(0) }
        )
        try overwrite(newest.copy.path, Data(seal), with: Data(repeating: 1, count: seal.count))
        let made = try store.backUp(into: folder(), at: time + 2)
        #expect(made.isNew && made.check == .full)
        let (removed, left) = try store.thin(folder(), after: made, keeping: retention(2)) {
            $0.path == older.copy.path
        }
        #expect(removed.isEmpty)
        #expect(Set(left.map(\.path)) == [older.copy.path, made.copy.path])
    }

    @Test func `a folder has a whole copy under the present key only where one can be read`() throws {
        let store = try vault.create()
        try store.put(id, "one")
        #expect(try !store.hasWholeCopy(in: folder()))
        let made = try backUp(store)
        #expect(try store.hasWholeCopy(in: folder()))
        try FileManager.default.removeItem(atPath: made.copy.path)
        #expect(try !store.hasWholeCopy(in: folder()))
    }

    @Test func `of a damaged vault there is one copy, and no other one goes`() throws {
        let store = try vault.create()
        for number in 0..<2 {
            try store.put(id, "\(number)")
            _ = try backUp(store, after: Int64(number))
        }
        try store.put(id, "three")
        store.lock()
        try vault.raw { try $0.run("UPDATE record SET body = zeroblob(length(body))") }
        let again = try vault.open()
        let made = try backUp(again, after: 5, newest: 1)
        #expect(made.isNew && made.check == .damaged && made.damaged.count == 1)
        #expect(try !backUp(again, after: 6, newest: 1).isNew)
        #expect(try names().count == 3)
    }

    @Test func `drafts of a program that was stopped go, and there is no folder for nothing`() throws {
        let store = try vault.create()
        let draft = path + "/vault.hsipbackup.new-0123456789ab"
        try Data("half".utf8).write(to: URL(fileURLWithPath: draft))
        _ = try backUp(store)
        #expect(try names().count == 1)
        #expect(throws: StoreError.notFound) { try BackupFolder(path + "/gone", label: "vault") }
        #expect(throws: StoreError.unsafeFile(path: vault.paths.vault, .wrongType)) {
            try BackupFolder(vault.paths.vault, label: "vault")
        }
    }

    @Test func `a copy that was exchanged after it was looked at is not removed`() throws {
        let store = try vault.create()
        try store.put(id, "one")
        let made = try backUp(store)
        let folder = try folder()
        try FileManager.default.moveItem(atPath: made.copy.path, toPath: path + "/elsewhere")
        try Data("another file".utf8).write(to: URL(fileURLWithPath: made.copy.path))
        #expect(try folder.remove([made.copy]).isEmpty)
        #expect(try names().count == 2)
    }
}
