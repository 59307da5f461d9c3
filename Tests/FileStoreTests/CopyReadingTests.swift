@testable import FileStore
import Foundation
import RecordStore
import Support
import Testing

/// A copy read with the keys of the open vault, for a program that has no secret.
@Suite struct CopyReadingTests {
    private let vault: ScratchVault
    private let store: FileStore
    private let copy: String

    init() throws {
        vault = try ScratchVault()
        store = try vault.create()
        copy = vault.scratch.path + "/copy"
        try store.put(RecordID("note", "one"), "one")
        _ = try store.backUp(to: copy)
    }

    private func read(_ path: String) throws -> CopyReport {
        let revisions = try store.read { (reader) throws(StoreError) in try reader.list(nil).map(\.revision) }
        return try store.readCopy(path, beside: revisions)
    }

    @Test func `a copy is read whole, and told how far it is behind`() throws {
        let report = try read(copy)
        #expect(report.position == (try store.status().position) && report.damaged.isEmpty)
        #expect(report.records == 1 && report.slots == 1 && report.newerHere == 0)
        try store.put(RecordID("note", "two"), "two")
        try store.put(RecordID("note", "one"), "other")
        let later = try read(copy)
        #expect(later.headTag == report.headTag && later.newerHere == 2)
        // Reading an older state is no rollback of the vault.
        #expect(try store.verify().records == 2)
    }

    @Test func `what is no copy under the vault's key is refused`() throws {
        #expect(refusal { _ = try read(copy + "2") } == .notFound)
        #expect(
            refusal { _ = try read(vault.paths.vault) }
                == .unsafeFile(path: vault.paths.vault, .wrongType)
        )
        let folder = vault.scratch.path
        #expect(refusal { _ = try read(folder) } == .unsafeFile(path: folder, .wrongType))
        let link = vault.scratch.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: copy)
        #expect(refusal { _ = try read(link) } == .unsafeFile(path: link, .wrongType))
        try Data("a log".utf8).write(to: URL(fileURLWithPath: copy + "-wal"))
        #expect(refusal { _ = try read(copy) } == .readOnlyWithLog)
        try FileManager.default.removeItem(atPath: copy + "-wal")
        // From before the key changed, and of another vault.
        _ = try store.rekey(store.prepareRekey([.carried(1)]))
        #expect(refusal { _ = try read(copy) } == .wrongSecret)
        let other = try ScratchVault()
        let foreign = other.scratch.path + "/copy"
        _ = try other.create().backUp(to: foreign)
        #expect(refusal { _ = try read(foreign) } == .wrongSecret)
    }

    @Test func `a damaged record is named, and a file cut short is refused`() throws {
        var data = try Data(contentsOf: URL(fileURLWithPath: copy))
        try data.prefix(data.count / 2).write(to: URL(fileURLWithPath: copy + "-half"))
        #expect(throws: StoreError.self) { try read(copy + "-half") }
        let body = try #require(
            try Database(copy, isImmutable: true).statement("SELECT body FROM record LIMIT 1")
                .first { row throws(StoreError) in try row.bytes(0) }
        )
        let range = try #require(data.range(of: Data(body)))
        data[range.lowerBound] ^= 1
        try data.write(to: URL(fileURLWithPath: copy + "-damaged"))
        let report = try read(copy + "-damaged")
        #expect(report.damaged.map(\.name) == ["one"])
    }

    @Test func `a locked vault reads nothing`() throws {
        store.lock()
        #expect(refusal { _ = try store.readCopy(copy, beside: []) } == .locked)
    }
}
