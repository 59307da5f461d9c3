import Foundation
import Testing

@testable import AgentKit

@Suite("An agent that waits")
struct FootprintTests {
    /// Kilobytes of files that are in the memory of this process.
    private static func resident() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("RssFile:") })
        return try #require(Int(line.split(whereSeparator: { $0 == " " || $0 == "\t" })[1]))
    }

    @Test("gives back the code it does not run, and runs on")
    func shrinks() throws {
        let before = try Self.resident()
        Footprint().shrink()
        let after = try Self.resident()
        #expect(after < before)
        #expect([3, 1, 2].sorted() == [1, 2, 3])
        #expect("a constant of this program".utf8.count == 26)
    }
}
