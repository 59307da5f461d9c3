@testable import FileStore
import Foundation
import RecordStore
import Support
import Synchronization
import Testing
import VaultCrypto

/// Copies of a vault file, and their way back.
@Suite struct BackupTests {
    private let vault: ScratchVault
    private let id: RecordID
    private let copy: String
    private let kept: String

    init() throws {
        vault = try ScratchVault()
        id = try RecordID("login", "a")
        copy = vault.scratch.path + "/copy"
        kept = vault.scratch.path + "/vault/kept"
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: vault.scratch.path + "/vault").sorted()
    }

    private func restoring(_ path: String? = nil) throws -> Restoring {
        try Restoring.begin(path ?? copy, at: vault.paths, entropy: vault.entropy, now: { ScratchVault.now })
    }

    private func restore(keepingAs kept: String?, acceptsRollback: Bool = false) throws -> VerifyReport {
        let restoring = try restoring()
        let opened = try restoring.open(.recovery(try ScratchVault.code()))
        return try restoring.place(opened, keepingAs: kept, acceptsRollback: acceptsRollback).report
    }

    @Test(arguments: [true, false])
    func `what the replaced vault knows is carried, and does not predate the restore`(isWhole: Bool) throws {
        let store = try vault.create()
        let (told, old) = (try RecordID("n", "told"), try RecordID("n", "old"))
        try store.put(old, "before")
        _ = try store.backUp(to: copy)
        try store.put(told, "since then")
        store.lock()
        if !isWhole { try vault.removeAnchor() }
        let restoring = try restoring()
        let opened = try restoring.open(.recovery(try ScratchVault.code()))
        var heard: Bool?
        let placed = try restoring.place(opened, keepingAs: kept, acceptsRollback: true) {
            newer,
            backup,
            whole in
            heard = whole
            guard let record = try? newer.find(told), (try? backup.info(told)) == nil else {
                return nil
            }
            return [.put(RecordDraft(id: told, body: record.body), expecting: 0)]
        }
        #expect(placed.isCarried && heard == isWhole)
        let again = try vault.open()
        #expect(try again.text(told) == "since then")
        let infos = try again.read { reader throws(StoreError) in try reader.list(nil) }
        #expect(infos.map(\.predatesRestore) == [true, false])
        #expect(try again.verify().records == 2)
    }

    /// Everything of a file that opens by the paper's code, wherever it lies.
    private func text(in path: String) throws -> String? {
        let anchors = vault.scratch.path + "/elsewhere"
        let folder = vault.scratch.path + "/looked-at"
        try? FileManager.default.removeItem(atPath: folder)
        try? FileManager.default.removeItem(atPath: anchors)
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        try FileManager.default.copyItem(atPath: path, toPath: folder + "/v.hsipvault")
        return try FileStore.open(
            at: VaultPaths(vault: folder + "/v.hsipvault", anchorFolder: anchors),
            unlock: .recovery(try ScratchVault.code()),
            entropy: vault.entropy,
            now: { ScratchVault.now }
        ).text(id)
    }

    @Test func `a backup is one file for no one else, whole, with what the log had`() throws {
        let store = try vault.create()
        try store.put(id, "one")
        let report = try store.backUp(to: copy)
        #expect(report.records == 1 && report.slots == 1 && report.generation == 2)
        #expect(report.headTag == (try store.verify().headTag))
        #expect(try text(in: copy) == "one")
        let mode = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let around = try FileManager.default.contentsOfDirectory(atPath: vault.scratch.path)
        #expect(around.filter { $0.hasPrefix("copy") } == ["copy"])
    }

    @Test func `a file that is there is replaced only where that is wanted`() throws {
        let store = try vault.create()
        try Data("mine".utf8).write(to: URL(fileURLWithPath: copy))
        #expect(refusal { _ = try store.backUp(to: copy) } == .alreadyExists)
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == Data("mine".utf8))
        _ = try store.backUp(to: copy, replaces: true)
        #expect(try text(in: copy) == nil)
    }

    @Test func `others go on writing while a backup is made, and each copy is one moment`() async throws {
        let store = try vault.create()
        try store.put(id, "0")
        let writer = try vault.open()
        let other = try RecordID("login", "b")
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 1...200 {
                    // Both change in one commit.
                    var changes = ChangeSet(floor: 0)
                    for id in [id, other] {
                        let revision = try writer.read { reader throws(StoreError) in
                            try reader.info(id)?.revision ?? 0
                        }
                        let body = try Secret(copying: Array("\(number)".utf8))
                        changes.put(RecordDraft(id: id, body: body), expecting: revision)
                    }
                    try writer.commit(changes)
                }
            }
            group.addTask {
                for number in 0..<12 {
                    let report = try store.backUp(to: copy + "\(number)")
                    #expect((1...2).contains(report.records))
                }
            }
            try await group.waitForAll()
        }
        #expect(try store.text(id) == "200")
    }

    @Test func `of a vault whose head is damaged no copy is made`() throws {
        let store = try vault.create()
        try store.put(id, "one")
        try vault.raw { try $0.execute("UPDATE slot SET note = zeroblob(length(note))") }
        #expect(throws: StoreError.self) { try vault.open().backUp(to: copy) }
        #expect(!FileManager.default.fileExists(atPath: copy))
    }

    @Test func `a lost vault comes back, and all that is in it predates the restore`() throws {
        let store = try vault.create()
        try store.put(id, "one")
        _ = try store.backUp(to: copy)
        store.lock()
        try FileManager.default.removeItem(atPath: vault.scratch.path + "/vault")
        let report = try restore(keepingAs: nil)
        #expect(report.generation == 3 && report.floor == 3)
        let again = try vault.open()
        #expect(try again.text(id) == "one")
        let info = try again.read { reader throws(StoreError) in try reader.info(id) }
        #expect(info?.predatesRestore == true)
        #expect(try again.put(id, "two") == 4)
        #expect(try files().filter { $0.contains(".new-") } == [])
    }

    @Test func `an older state is let in only where that is said, above everything that was seen`() throws {
        let store = try vault.create()
        try store.put(id, "one")
        _ = try store.backUp(to: copy)
        for _ in 0..<5 { try store.put(id, "newer") }
        let seen = try store.verify().position
        let found = refusal { _ = try restore(keepingAs: kept) }
        #expect(found == .rollback(found: Position(epoch: 1, generation: 2), expected: seen))
        #expect(try store.text(id) == "newer")
        #expect(!FileManager.default.fileExists(atPath: kept))
        let report = try restore(keepingAs: kept, acceptsRollback: true)
        #expect(report.generation == seen.generation + 1 && report.floor == report.generation)
        #expect(try vault.open().text(id) == "one")
        #expect(try text(in: kept) == "newer")
    }

    @Test func `who has the vault open sees what was restored, and writes no more by what it knew`() throws {
        let store = try vault.create()
        try store.put(id, "one")
        _ = try store.backUp(to: copy)
        let revision = try store.put(id, "newer")
        _ = try restore(keepingAs: kept, acceptsRollback: true)
        #expect(try store.text(id) == "one")
        var changes = ChangeSet(floor: 0)
        changes.put(RecordDraft(id: id, body: try Secret(copying: [1])), expecting: revision)
        #expect(refusal { _ = try store.commit(changes) } == .conflict)
    }

    @Test func `without an anchor what is in place still counts as seen`() throws {
        let store = try vault.create()
        _ = try store.backUp(to: copy)
        for _ in 0..<5 { try store.put(id, "newer") }
        store.lock()
        try vault.removeAnchor()
        #expect(throws: StoreError.self) { try restore(keepingAs: kept) }
        #expect(try files().filter { $0.contains("kept") }.isEmpty)
        #expect(try restore(keepingAs: kept, acceptsRollback: true).generation == 7)
    }

    @Test func `a log whose vault was taken away is never played into a backup`() throws {
        let store = try vault.create()
        try store.put(id, "one")
        _ = try store.backUp(to: copy)
        try store.put(id, "two")
        let place = vault.paths.vault
        try FileManager.default.moveItem(atPath: place, toPath: place + ".away")
        let log = try Data(contentsOf: URL(fileURLWithPath: place + "-wal"))
        #expect(!log.isEmpty)
        #expect(throws: StoreError.alreadyExists) { try restore(keepingAs: nil, acceptsRollback: true) }
        #expect(throws: StoreError.alreadyExists) { try FileStore.prepare(vault.paths) }
        #expect(!FileManager.default.fileExists(atPath: place))
        #expect(try Data(contentsOf: URL(fileURLWithPath: place + "-wal")) == log)
        try FileManager.default.moveItem(atPath: place + ".away", toPath: place)
        #expect(try store.text(id) == "two")
    }

    @Test func `what someone commits while a backup is put in place is not undone unseen`() throws {
        let store = try vault.create()
        try store.put(id, "one")
        _ = try store.backUp(to: copy)
        let isDue = Mutex(false)
        // The state above all others is sealed between the look at what is there and its replacement.
        let entropy = Entropy { [id, entropy = vault.entropy] count in
            let isNow = isDue.withLock { due in
                defer { due = false }
                return due
            }
            if isNow { _ = try? store.put(id, "two") }
            return entropy.bytes(count)
        }
        let restoring = try Restoring.begin(
            copy,
            at: vault.paths,
            entropy: entropy,
            now: { ScratchVault.now }
        )
        let opened = try restoring.open(.recovery(try ScratchVault.code()))
        isDue.withLock { $0 = true }
        var thrown: StoreError?
        do throws(StoreError) {
            _ = try restoring.place(opened, keepingAs: kept, acceptsRollback: true)
        } catch {
            thrown = error
        }
        #expect(thrown == .conflict)
        #expect(try store.text(id) == "two")
        #expect(try files().filter { $0.contains("kept") }.isEmpty)
    }

    @Test(arguments: [0, 18, 40]) func `a vault that cannot be read is set aside as it is`(place: Int) throws
    {
        let store = try vault.create()
        try store.put(id, "one")
        _ = try store.backUp(to: copy)
        store.lock()
        var damaged = try vault.snapshot()
        damaged[place] ^= 0xFF
        if place == 40 { damaged = Data("no vault at all".utf8) }
        try vault.restore(damaged)
        _ = try restore(keepingAs: kept, acceptsRollback: true)
        #expect(try vault.open().text(id) == "one")
        #expect(try Data(contentsOf: URL(fileURLWithPath: kept)).count == damaged.count)
    }

    @Test func `another secret, damage and what is no backup change nothing`() throws {
        let store = try vault.create()
        try store.put(id, "one")
        _ = try store.backUp(to: copy)
        let before = try files()
        let other = try Secret(copying: Array("fedcba9876543210".utf8))
        let wrong = refusal {
            let restoring = try restoring()
            _ = try restoring.open(.recovery(other))
        }
        #expect(wrong == .wrongSecret)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: copy))
        bytes[bytes.count - 200] ^= 1
        try bytes.write(to: URL(fileURLWithPath: copy + ".damaged"))
        #expect(throws: StoreError.self) {
            let restoring = try restoring(copy + ".damaged")
            _ = try restoring.open(.recovery(try ScratchVault.code()))
        }
        try Data("something else".utf8).write(to: URL(fileURLWithPath: copy + ".text"))
        #expect(refusal { _ = try restoring(copy + ".text").vaultID } == .notAVault)
        #expect(refusal { _ = try restoring(copy + ".gone").vaultID } == .notFound)
        #expect(refusal { _ = try restore(keepingAs: nil) } == .alreadyExists)
        #expect(try files() == before)
        #expect(try store.text(id) == "one")
    }

    @Test func `a vault file with its log beside it is no backup`() throws {
        let store = try vault.create()
        try store.put(id, "one")
        #expect(refusal { _ = try restoring(vault.paths.vault).vaultID } == .readOnlyWithLog)
    }
}
