import Presentation
import Support
import Testing

struct ErrorNameTests {
    @Test func `every error of the table has its name and exit code, and there is no other`() throws {
        let file = try #require(try StoreVectors.schema("errors.json") as? [String: Any])
        let rows = try #require(file["errors"] as? [[String: Any]])
        var table: [String: Int] = [:]
        for row in rows where row["kind"] as? String == "error" {
            table[try #require(row["name"] as? String)] = try #require(row["exit"] as? Int)
        }
        let ours = ErrorName.allCases.map { ($0.rawValue, Int($0.exitCode)) }
        #expect(Dictionary(uniqueKeysWithValues: ours) == table)
    }

    @Test func `the exit codes have the numbers and names of their table`() throws {
        let file = try #require(try StoreVectors.schema("exit-codes.json") as? [String: Any])
        let rows = try #require(file["codes"] as? [[String: Any]])
        let found = rows.map { "\($0["code"] ?? "") \($0["name"] ?? "")" }
        #expect(found == ExitCode.allCases.map { "\($0.rawValue) \($0.name)" })
        #expect(found.count == 16)
    }
}
