import Console
import Foundation
import Programs
import Testing

struct ExitCodeTests {
    @Test func `the table in Schemas has the same numbers and names`() throws {
        let data = try Data(contentsOf: Fixtures.root.appending(path: "Schemas/exit-codes.json"))
        let file = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let rows = try #require(file["codes"] as? [[String: Any]])
        let found = rows.map { "\($0["code"] ?? "") \($0["name"] ?? "")" }
        #expect(found == ExitCode.allCases.map { "\($0.rawValue) \($0.name)" })
        #expect(found.count == 16)
    }

    @Test func `signals end the program as the shell expects`() {
        #expect(ConsoleError.interrupted(signal: 2).status == 130)
        #expect(ConsoleError.closedPipe.status == 141)
        #expect(ConsoleError.inputNeeded(flag: "--yes").status == 7)
    }

    @Test func `a failure names the flag that would have answered`() {
        let failure = Failure(.inputNeeded(flag: "--as NAME"))
        #expect(failure.code == "inputNeeded")
        #expect(failure.hint == "answer with --as NAME")
    }
}
