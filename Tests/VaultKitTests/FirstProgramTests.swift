import Foundation
import Support
import Testing
import VaultCrypto
import VaultKit

@Suite("The first program of the documentation")
struct FirstProgramTests {
    @Test("does what it says")
    func itRuns() async throws {
        let folder = try StoreScratch()
        let read = try await firstProgram(in: folder.path, clock: { 1_800_000_000 })
        let text = read?.withBytes { String(decoding: $0.copied(), as: UTF8.self) }
        #expect(text == "see you at eight")
    }

    @Test("is the one that the documentation shows")
    func itIsShown() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let program = try String(contentsOf: tests.appending(path: "FirstProgram.swift"), encoding: .utf8)
        let page = try String(
            contentsOf: tests.appending(path: "../../Sources/VaultKit/VaultKit.docc/VaultKit.md")
                .standardized,
            encoding: .utf8
        )
        #expect(page.contains("```swift\n\(program)```"))
    }
}
