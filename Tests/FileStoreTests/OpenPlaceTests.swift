@testable import FileStore
import Foundation
import Glibc
import RecordStore
import Support
import Testing
import VaultCrypto

/// What happens to the files of a vault while it is open.
@Suite struct OpenPlaceTests {
    private let vault: ScratchVault
    private let store: FileStore
    private let id: RecordID
    private var path: String { vault.paths.vault }

    init() throws {
        vault = try ScratchVault()
        id = try RecordID("login", "a")
        store = try vault.create()
        try store.put(id, "one")
    }

    private func expectMoved(_ path: String) {
        #expect(refusal { try store.put(id, "two") } == .unsafeFile(path: path, .moved))
    }

    @Test func `a vault that was taken away while it was open takes no commit`() throws {
        try FileManager.default.removeItem(atPath: path)
        expectMoved(path)
    }

    @Test func `a vault that was replaced while it was open takes no commit`() throws {
        try FileManager.default.copyItem(atPath: path, toPath: path + ".copy")
        #expect(unsafe rename(path + ".copy", path) == 0)
        expectMoved(path)
    }

    @Test(arguments: ["-wal", "-shm"])
    func `nor does one whose log or shared memory is gone`(ending: String) throws {
        try FileManager.default.removeItem(atPath: path + ending)
        expectMoved(path + ending)
    }

    @Test(arguments: [0, 3, 100, 20_000])
    func `shared memory that is cut under a process ends nothing and loses nothing`(size: Int) throws {
        #expect(try store.text(id) == "one")
        #expect(unsafe truncate(path + "-shm", off_t(size)) == 0)
        #expect(try store.text(id) == "one")
        #expect(unsafe truncate(path + "-shm", off_t(size)) == 0)
        try store.put(id, "two")
        #expect(try vault.open().text(id) == "two")
        #expect(try store.verify().records == 1)
    }

    @Test(arguments: ["-journal", "-wal", "-shm"])
    func `a pipe beside a vault is refused by its name, and not waited for`(ending: String) throws {
        store.lock()
        try? FileManager.default.removeItem(atPath: path + ending)
        #expect(unsafe mkfifo(path + ending, 0o600) == 0)
        #expect(refusal { _ = try vault.open() } == .unsafeFile(path: path + ending, .wrongType))
    }

    @Test func `what a stopped program left is removed by the next one, what another writes is not`() throws {
        let (left, present) = (path + ".new-0123456789ab", path + ".new-ba9876543210")
        for name in [left, left + "-journal", present] {
            #expect(FileManager.default.createFile(atPath: name, contents: Data("x".utf8)))
        }
        let file = unsafe open(present, O_RDONLY)
        defer { close(file) }
        #expect(flock(file, LOCK_SH) == 0)
        _ = try store.backUp(to: vault.scratch.path + "/copy")
        let names = try FileManager.default.contentsOfDirectory(atPath: vault.scratch.path + "/vault")
        #expect(names.filter { $0.contains(".new-") }.map { $0.suffix(12) } == ["ba9876543210"])
    }

    @Test func `verify refuses where others could replace the memory of the last state`() throws {
        let folder = vault.paths.anchorFolder
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
        #expect(refusal { _ = try store.verify() } == .unsafeFile(path: folder, .mode(0o777)))
    }
}
