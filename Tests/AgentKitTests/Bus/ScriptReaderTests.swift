import Foundation
import Glibc
import System
import Testing
import VaultPolicy

@testable import AgentKit

/// Which script a real interpreter says that it runs.
final class ScriptReaderTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "hsip-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// What a program that is started so says; it writes its number, and waits for the end of its input.
    private func claim(_ path: String, _ arguments: [String], given: String = "") throws -> ScriptClaim? {
        let process = Process()
        let (input, output) = (Foundation.Pipe(), Foundation.Pipe())
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        defer {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }
        try input.fileHandleForWriting.write(contentsOf: Data(given.utf8))
        let told = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let pid = try #require(Int32(told.trimmingCharacters(in: .whitespacesAndNewlines)))
        let program = try #require(ProcessFacts.program(of: pid).path)
        return ScriptReader.claim(of: pid, program)
    }

    private func script(_ name: String, _ text: String, mode: Int = 0o600) throws -> String {
        let path = folder.appending(path: name).path()
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    private static let shell = "echo $$; read -r line"

    @Test func `a script is named by its whole path, also from another folder`() throws {
        let path = try script("mail.sh", Self.shell, mode: 0o622)
        #expect(try claim("/bin/sh", ["./mail.sh"]) == ScriptClaim(.file, path))
    }

    @Test func `commands and standard input are no file`() throws {
        #expect(try claim("/bin/sh", ["-c", Self.shell]) == ScriptClaim(.commands))
    }

    @Test func `a pipe has commands, and is no file`() throws {
        #expect(try claim("/bin/sh", ["/dev/stdin"], given: Self.shell + "\n") == ScriptClaim(.commands))
    }

    @Test func `a script that changed its folder is not found by a relative path`() throws {
        _ = try script("mail.sh", "cd /; \(Self.shell)", mode: 0o622)
        #expect(try claim("/bin/sh", ["./mail.sh"]) == nil)
        let path = try script("other.sh", "cd /; \(Self.shell)", mode: 0o622)
        #expect(try claim("/bin/sh", [path]) == ScriptClaim(.file, path))
    }

    @Test(.enabled(if: geteuid() == 0)) func `a script that only root can change is the system's`() throws {
        let path = try script("mail.sh", Self.shell)
        #expect(try claim("/bin/sh", [path]) == ScriptClaim(.file, path, isOfSystem: true))
        // By a relative path another file could be meant.
        #expect(try claim("/bin/sh", ["mail.sh"]) == ScriptClaim(.file, path))
    }

    @Test func `a tool has the script that started it, and a program of its own has none`() throws {
        let tool = folder.appending(path: "secret-tool").path()
        let git = folder.appending(path: "git").path()
        for path in [tool, git] {
            let python = URL(filePath: "/usr/bin/python3").resolvingSymlinksInPath().path()
            try FileManager.default.copyItem(atPath: python, toPath: path)
        }
        let code = "import os; print(os.getpid(), flush=True); input()"
        for (path, expected) in [(tool, "mail.sh"), (git, nil)] {
            let script = try script("mail.sh", "PYTHONHOME=/usr '\(path)' -c '\(code)'; :", mode: 0o622)
            let found = try claim("/bin/sh", [script])
            let shell = try #require(ChildProcess.find("sh", in: .process))
            let starter = URL(filePath: shell).resolvingSymlinksInPath().lastPathComponent
            #expect(found == expected.map { _ in ScriptClaim(.file, script, starter: starter) })
        }
    }
}
