import FileStore
import Foundation
import RecordStore
import Support
import Testing
import VaultCrypto

/// A vault file that takes over the records of another store.
@Suite struct AdoptionTests {
    private let vault: ScratchVault
    private let slot: NewSlot

    init() throws {
        vault = try ScratchVault()
        slot = try ScratchVault.slot()
    }

    private func adopt(
        _ source: any Store,
        epoch: UInt32 = 2,
        ahead: UInt64 = 1
    ) throws -> FileStore {
        try source.read { reader throws(StoreError) in
            try FileStore.create(
                at: vault.paths,
                vaultID: source.vaultID,
                adopting: reader,
                position: Position(epoch: epoch, generation: reader.generation + ahead),
                slots: [slot],
                entropy: vault.entropy,
                now: { ScratchVault.now + 5 }
            )
        }
    }

    private func open(_ options: OpenOptions = OpenOptions()) throws -> FileStore {
        try FileStore.open(
            at: vault.paths,
            unlock: .recovery(ScratchVault.code()),
            options: options,
            entropy: vault.entropy,
            now: { ScratchVault.now }
        )
    }

    private func memory() -> MemoryStore {
        MemoryStore(entropy: .seeded([9]), now: { ScratchVault.now })
    }

    /// Records of all sorts, several written twice.
    private func fill(_ store: some Store, _ count: Int) throws {
        for start in stride(from: 0, to: count, by: 100) {
            var changes = ChangeSet(floor: try store.read { $0.floor })
            for number in start..<min(start + 100, count) {
                changes.put(try draft(number), expecting: 0)
            }
            try store.commit(changes)
        }
        if count > 1 { try store.put(RecordID("login", "n1"), "again") }
    }

    private func draft(_ number: Int) throws -> RecordDraft {
        RecordDraft(
            id: try RecordID(number % 3 == 0 ? "note" : "login", "n\(number)"),
            label: number % 2 == 0 ? "Number \(number) ä" : "",
            attributes: try Attributes(["host": "h\(number % 7)", "empty": ""]),
            expires: UInt64(number),
            body: try Secret(copying: Array(repeating: UInt8(number & 255), count: number * 3 % 400))
        )
    }

    private func difference(_ left: any Store, _ right: any Store) throws -> RecordID? {
        try left.read { reader throws(StoreError) in
            try right.read { other throws(StoreError) in try reader.firstDifference(from: other) }
        }
    }

    private func files() -> [String] {
        let folder = vault.scratch.path + "/vault"
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    @Test(arguments: [0, 1, 1_000], [false, true])
    func `every record arrives as it was, and the copy verifies`(count: Int, isRestored: Bool) throws {
        let source = memory()
        try fill(source, count)
        if isRestored {
            source.raiseFloor()
            try source.put(RecordID("login", "later"), "since then")
        }
        let copy = try adopt(source)
        #expect(try difference(copy, source) == nil)
        #expect(copy.vaultID == source.vaultID && copy.isReadOnly)
        let report = try copy.verify()
        let (floor, generation) = try source.read { ($0.floor, $0.generation) }
        #expect(report.records == count + (isRestored ? 1 : 0) && report.floor == floor)
        #expect(report.position == Position(epoch: 2, generation: generation + 1))
        #expect(files() == ["vault.hsipvault"])
        try copy.claim()
        copy.lock()

        let opened = try open()
        #expect(try difference(opened, source) == nil)
        let list = try opened.read { reader throws(StoreError) in try reader.list(nil) }
        #expect(list.filter(\.predatesRestore).count == (isRestored ? count : 0))
        #expect(try opened.put(RecordID("login", "new"), "first here") == generation + 2)
        #expect(try opened.verify().records == list.count + 1)
    }

    @Test func `a file takes over from a file, large secrets too`() throws {
        let old = try ScratchVault(3)
        let source = try old.create()
        for number in 0..<3 {
            var changes = ChangeSet(floor: 0)
            let body = try Secret(copying: Array(repeating: UInt8(number), count: (1 << 20) + number))
            changes.put(RecordDraft(id: try RecordID("note", "large\(number)"), body: body), expecting: 0)
            try source.commit(changes)
        }
        try source.acceptRollback()
        try source.put(RecordID("login", "fresh"), "x")
        let copy = try adopt(source)
        #expect(try difference(copy, source) == nil)
        #expect(try copy.verify().records == 4)
        #expect(
            try copy.read { reader throws(StoreError) in try reader.list(nil) }.map(\.predatesRestore)
                == [false, true, true, true]
        )
    }

    @Test func `the copy counts once it is claimed, and the source is an old copy from then on`() throws {
        let old = try ScratchVault(3)
        let source = try old.create()
        try source.put(RecordID("login", "a"), "x")
        // One memory of the newest state for both, as on one machine.
        let paths = VaultPaths(vault: vault.paths.vault, anchorFolder: old.paths.anchorFolder)
        let copy = try source.read { reader throws(StoreError) in
            try FileStore.create(
                at: paths,
                vaultID: source.vaultID,
                adopting: reader,
                position: Position(epoch: 2, generation: reader.generation + 1),
                slots: [slot],
                entropy: vault.entropy,
                now: { ScratchVault.now }
            )
        }
        #expect(refusal { try copy.put(RecordID("login", "a"), "y") } == .readOnly)
        try source.put(RecordID("login", "b"), "the source is still the vault")
        try copy.claim()
        let (found, expected) = (Position(epoch: 1, generation: 3), Position(epoch: 2, generation: 3))
        #expect(
            refusal { try source.put(RecordID("login", "c"), "no more") }
                == .rollback(found: found, expected: expected)
        )
        #expect(refusal { _ = try old.open() } == .rollback(found: found, expected: expected))
        #expect(try old.open(OpenOptions(stale: true)).text(RecordID("login", "b")) != nil)
        let opened = try FileStore.open(
            at: paths,
            unlock: .recovery(ScratchVault.code()),
            options: OpenOptions(requireAnchor: true),
            entropy: vault.entropy,
            now: { ScratchVault.now }
        )
        #expect(opened.anchorFinding == .matches && opened.noted == [])
        #expect(try opened.put(RecordID("login", "c"), "here") == 4)
    }

    @Test func `a copy never counts over a commit that it does not have`() throws {
        let old = try ScratchVault(3)
        let source = try old.create()
        try source.put(RecordID("login", "a"), "x")
        let paths = VaultPaths(vault: vault.paths.vault, anchorFolder: old.paths.anchorFolder)
        let last = Position(epoch: 1, generation: try source.read { $0.generation })
        let copy = try source.read { reader throws(StoreError) in
            try FileStore.create(
                at: paths,
                vaultID: source.vaultID,
                adopting: reader,
                position: Position(epoch: 2, generation: reader.generation + 1),
                slots: [slot],
                entropy: vault.entropy,
                now: { ScratchVault.now }
            )
        }
        try source.put(RecordID("login", "b"), "past the lock")
        #expect(refusal { try copy.claim(over: last) } == .conflict)
        #expect(try old.open().text(RecordID("login", "b")) == "past the lock")
    }

    @Test func `what cannot be carried over is refused before anything is made`() throws {
        let old = try ScratchVault(3)
        try old.create().put(RecordID("login", "mine"), "x")
        let later: [UInt8] =
            [2, 1, 0, 0, 0, 0, 0, 0, 0, 3] + Array(repeating: 9, count: 16 + 24)
            + [0, 5] + Array("login".utf8) + [0, 5] + Array("later".utf8) + [0, 0, 0, 0, 1]
        try Forger(old).addRecord(RecordID("login", "later"), meta: later, revision: 3)
        #expect(refusal { _ = try adopt(old.open()) } == .newerRecord)
        #expect(files() == [])
        let source = memory()
        #expect(refusal { _ = try adopt(source, ahead: 0) } == .conflict)
        #expect(files() == [])
        _ = try adopt(source)
        #expect(refusal { _ = try adopt(source, epoch: 3) } == .alreadyExists)
        #expect(try open().vaultID == source.vaultID)
    }

    @Test(arguments: [0, 1, 7])
    func `a source that fails in the middle leaves nothing behind`(number: Int) throws {
        let source = memory()
        try fill(source, 8)
        let failure = refusal {
            try source.read { reader throws(StoreError) in
                _ = try FileStore.create(
                    at: vault.paths,
                    vaultID: source.vaultID,
                    adopting: FailingReader(reader: reader, after: number),
                    position: Position(epoch: 2, generation: reader.generation + 1),
                    slots: [slot],
                    entropy: vault.entropy,
                    now: { ScratchVault.now }
                )
            }
        }
        #expect(failure == .keyringDied)
        #expect(files() == [])
    }

    @Test func `a comparison finds what is different`() throws {
        let source = memory()
        try fill(source, 5)
        #expect(try difference(source, source) == nil)
        let cases: [(String, (MemoryStore) throws -> Void)] = [
            ("login/n1", { try $0.put(RecordID("login", "n1"), "agaim") }),
            ("login/zz", { try $0.put(RecordID("login", "zz"), "more") }),
            ("login/a", { try $0.put(RecordID("login", "a"), "more") }),
            (
                "note/n3",
                { store in
                    let delete = ChangeSet(
                        floor: 0,
                        changes: [.delete(try RecordID("note", "n3"), expecting: nil)]
                    )
                    try store.commit(delete)
                }
            ),
        ]
        for (id, change) in cases {
            let other = memory()
            try fill(other, 5)
            try change(other)
            #expect(try difference(source, other)?.description == id)
            #expect(try difference(other, source)?.description == id)
        }
    }

    @Test func `a comparison looks at the secrets too`() throws {
        let (left, right) = (memory(), memory())
        let id = try RecordID("login", "a")
        try left.put(id, "one")
        try right.put(id, "two")
        #expect(try difference(left, right) == id)
    }
}

/// A view whose secrets end after some.
private final class FailingReader: RecordReader {
    private let reader: any RecordReader
    private var left: Int

    init(reader: any RecordReader, after count: Int) {
        self.reader = reader
        left = count
    }

    var floor: UInt64 { reader.floor }
    var generation: UInt64 { reader.generation }

    func find(_ id: RecordID) throws(StoreError) -> Record? {
        guard left > 0 else { throw .keyringDied }
        left -= 1
        return try reader.find(id)
    }

    func info(_ id: RecordID) throws(StoreError) -> RecordInfo? { try reader.info(id) }

    func list(_ kind: RecordKind?, where attributes: Attributes) throws(StoreError) -> [RecordInfo] {
        try reader.list(kind, where: attributes)
    }
}
