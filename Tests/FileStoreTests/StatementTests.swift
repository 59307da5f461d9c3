import Glibc
import RecordStore
import Support
import Testing

@testable import FileStore

/// What SQLite answers is told as it is.
struct StatementTests {
    private func database() throws -> (StoreScratch, Database) {
        let scratch = try StoreScratch()
        let path = scratch.path + "/x"
        try #require(creates(path))
        return (scratch, try Database(path))
    }

    private func creates(_ path: String) -> Bool {
        let file = unsafe creat(path, 0o600)
        defer { close(file) }
        return file >= 0
    }

    @Test func `a statement that is left at its first row and fails at its end is no success`() throws {
        let (scratch, database) = try database()
        defer { withExtendedLifetime(scratch) {} }
        try database.execute("PRAGMA foreign_keys = ON")
        try database.execute("CREATE TABLE parent (id INTEGER PRIMARY KEY)")
        try database.execute("CREATE TABLE child (id REFERENCES parent DEFERRABLE INITIALLY DEFERRED)")
        #expect(throws: StoreError.self) {
            try database.number("INSERT INTO child VALUES (7) RETURNING id")
        }
        #expect(try database.number("SELECT count(*) FROM child") == 0)
    }

    @Test(arguments: [9, 14, 19, 21, 25] as [Int32])
    func `a code of SQLite is never one of the system`(code: Int32) {
        #expect(StoreError(sqlite: code, errno: 0) == .io(code: StoreError.sqliteCodes + code))
    }

    @Test func `what the system says of a failure is told by its own number`() {
        #expect(StoreError(sqlite: 266, errno: 5) == .io(code: 5))
    }
}
