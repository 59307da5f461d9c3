import Foundation
import System
import Testing

extension TerminalTests {
    /// Files that have no name before they are finished.
    ///
    /// Beside the questions because signals are watched by one at a time in a process, and these run in turns.
    struct UnfinishedFileTests {
        private func inFolder(_ body: (String) throws -> Void) throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "relay-\(UUID().uuidString)")
                .path()
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try body(folder)
        }

        @Test(arguments: [true, false])
        func `a file has its name when it is finished, and never before`(mayBeUnnamed: Bool) throws {
            try inFolder { folder in
                let path = folder + "/f"
                do {
                    let file = try UnfinishedFile(at: path, force: false, mayBeUnnamed: mayBeUnnamed)
                    try file.descriptor.write("half")
                    let there = try FileManager.default.contentsOfDirectory(atPath: folder)
                    #expect(there.isEmpty == mayBeUnnamed && !there.contains("f"))
                }
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty, "given up")
                for (text, force) in [("first", false), ("second", true)] {
                    let file = try UnfinishedFile(at: path, force: force, mayBeUnnamed: mayBeUnnamed)
                    try file.descriptor.write(text)
                    try file.finish()
                    #expect(try OwnFile.read(path) == Array(text.utf8))
                }
                #expect(throws: ProgramError.fileExists) {
                    _ = try UnfinishedFile(at: path, force: false, mayBeUnnamed: mayBeUnnamed)
                }
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                #expect(mode == 0o600)
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["f"])
            }
        }

        @Test(arguments: [true, false])
        func `a name that was taken meanwhile is left alone`(mayBeUnnamed: Bool) throws {
            try inFolder { folder in
                do {
                    let file = try UnfinishedFile(at: folder + "/f", force: false, mayBeUnnamed: mayBeUnnamed)
                    try file.descriptor.write("mine")
                    try Data("theirs".utf8).write(to: URL(filePath: folder + "/f"))
                    #expect(throws: ProgramError.fileExists) { try file.finish() }
                }
                #expect(try OwnFile.read(folder + "/f") == Array("theirs".utf8))
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["f"])
            }
        }

        @Test func `without its folder there is no file`() {
            #expect(throws: ProgramError.noSuchFile) {
                _ = try UnfinishedFile(at: "/nonexistent/f", force: false)
            }
        }
    }
}
