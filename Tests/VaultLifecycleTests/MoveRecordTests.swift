import RecordStore
import Testing
import Text
import VaultLifecycle

/// What `config.json` remembers of moves.
@Suite struct MoveRecordTests {
    private let id = [UInt8](0..<16)
    private let now: Int64 = 1_800_000_000
    private let file = Location.file("/data/vault.hsipvault")
    private let login = Location.keyring(path: "/collection/login", label: "Login")

    private func reread(_ record: VaultRecord) throws -> VaultRecord {
        try #require(VaultRecord(try JSONValue(try record.tree.bytes(.pages))))
    }

    private func record(at location: Location) -> VaultRecord {
        switch location {
        case .file(let path): VaultRecord(id: id, path: path, reason: .asked)
        case .keyring(let path, let label):
            VaultRecord(id: id, collection: path, label: label, reason: .asked)
        }
    }

    @Test func `a move that has begun is remembered to the number`() throws {
        var record = record(at: file)
        let position = Position(epoch: 7, generation: 1_025)
        record.move = MoveNote(to: login, at: position, started: now)
        let again = try reread(record)
        #expect(again.move == MoveNote(to: login, at: position, started: now))
        #expect(again.location == file && again.storage == .file(path: "/data/vault.hsipvault"))
        record.move = nil
        #expect(record == self.record(at: file))
    }

    @Test func `a vault that moved is at the new place, and the old one is kept for 30 days`() throws {
        var old = record(at: file)
        old.lacksIdentity = true
        old.recoveryTestedAt = now
        old.tree["of another program"] = .bool(true)
        old.move = MoveNote(to: login, at: Position(epoch: 2, generation: 9), started: now)
        let new = try reread(old.moved(to: login, now: now))
        #expect(new.id == id && new.location == login && new.reason == .migrated && new.move == nil)
        #expect(new.kept == [KeptCopy(file, until: now + 30 * 86_400)])
        #expect(new.lacksIdentity && new.recoveryTestedAt == nil)
        #expect(new.tree["of another program"] == .bool(true))
    }

    @Test func `a keyring keeps one copy, files as many as there were`() throws {
        let there = record(at: login).moved(to: file, now: now)
        #expect(there.kept.map(\.location) == [login])
        let back = there.moved(to: .keyring(path: "/collection/other", label: "Other"), now: now + 1)
        #expect(back.kept.map(\.location) == [file])
        var aside = back
        aside.kept = [KeptCopy(.file("/data/aside"), until: now)]
        let again = aside.moved(to: file, now: now + 2)
        #expect(again.kept.map(\.location).first == .file("/data/aside"))
        #expect(again.kept.count == 2)
    }

    @Test(arguments: [
        "{}", #"{"backend":"file"}"#, #"{"backend":"secret-service"}"#, #"{"backend":"tpm","path":"/x"}"#,
        #"{"backend":"file","path":"/x"}"#, #"{"backend":"file","path":"/x","epoch":-1,"generation":2}"#,
        #"{"backend":"file","path":"/x","epoch":1,"generation":2,"started":"yesterday"}"#,
        #"{"backend":"file","path":"/x","until":"never"}"#, #"["file"]"#, "null",
    ]) func `what no move has written is no note and no copy`(_ text: String) throws {
        let tree = try JSONValue(Array(text.utf8))
        #expect(MoveNote(tree) == nil)
        #expect(KeptCopy(tree) == nil)
    }
}
