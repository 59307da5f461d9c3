import Foundation
import HSIP
import Testing

@Suite("The first program of the documentation")
struct FirstProgramTests {
    @Test("does what it says")
    func itRuns() throws {
        let (codes, known) = try firstProgram(at: 1_800_000_000)
        #expect(codes.map { $0.hasPrefix("HSIP:") } == [true, true])
        #expect(known.count == 2)
        #expect(!known.contains(nil))
        #expect(known.first != known.last)
    }

    @Test("is the one that the documentation shows")
    func itIsShown() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let program = try String(contentsOf: tests.appending(path: "FirstProgram.swift"), encoding: .utf8)
        let page = try String(
            contentsOf: tests.appending(path: "../../Sources/HSIP/HSIP.docc/HSIP.md").standardized,
            encoding: .utf8
        )
        #expect(page.contains("```swift\n\(program)```"))
    }
}
