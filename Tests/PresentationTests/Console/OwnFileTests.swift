import Foundation
import Glibc
import Presentation
import System
import Testing

struct OwnFileTests {
    private static func put(_ text: String, _ path: String, _ mode: Int = 0o600) throws {
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test func `a file is mine alone and leaves nothing beside it`() throws {
        try Fixtures.inFolder { folder in
            try OwnFile.write(Array("code".utf8), to: "\(folder)/a")
            #expect(try Fixtures.mode("\(folder)/a") == 0o600)
            #expect(try OwnFile.read("\(folder)/a") == Array("code".utf8))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a"])
        }
    }

    @Test func `an existing file is replaced only by force`() throws {
        try Fixtures.inFolder { folder in
            try Self.put("old", "\(folder)/a", 0o644)
            #expect(throws: ConsoleError.fileExists) { try OwnFile.write([1], to: "\(folder)/a") }
            #expect(try OwnFile.read("\(folder)/a") == Array("old".utf8))
            try OwnFile.write(Array("new".utf8), to: "\(folder)/a", force: true)
            #expect(try OwnFile.read("\(folder)/a") == Array("new".utf8))
            #expect(try Fixtures.mode("\(folder)/a") == 0o600)
        }
    }

    @Test func `a dangling link is not followed`() throws {
        try Fixtures.inFolder { folder in
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/a",
                withDestinationPath: "\(folder)/elsewhere"
            )
            #expect(throws: ConsoleError.fileExists) { try OwnFile.write([1], to: "\(folder)/a") }
            #expect(!FileManager.default.fileExists(atPath: "\(folder)/elsewhere"))
        }
    }

    @Test func `a kept file is never waited for, and takes the place of what is there`() throws {
        try Fixtures.inFolder { folder in
            let path = "\(folder)/kept"
            try #require(Fixtures.makeFifo(path))
            #expect(throws: ConsoleError.unsafeFile(.notAFile)) { try OwnFile.readKept(path) }
            #expect(throws: ConsoleError.unsafeFile(.notAFile)) { try OwnFile.readKept("/dev/null") }
            try OwnFile.writeKept(Array("text".utf8), to: path)
            #expect(try OwnFile.readKept(path) == Array("text".utf8))
            #expect(try Fixtures.mode(path) == 0o600)
            #expect(throws: ConsoleError.tooLarge(limit: 3)) { try OwnFile.readKept(path, limit: 3) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["kept"])
        }
    }

    @Test func `a missing folder is said`() {
        #expect(throws: ConsoleError.noSuchFile) { try OwnFile.write([1], to: "/nonexistent/a") }
        #expect(throws: ConsoleError.noSuchFile) { try OwnFile.read("/nonexistent/a") }
    }

    @Test func `a file stays open while it is used, however many are used at once`() async throws {
        let failures = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var failures = 0
                    for _ in 0..<500 {
                        do { try OwnFile.write([1], to: "/dev/null") } catch { failures += 1 }
                        do { _ = try OwnFile.read("/dev/null") } catch { failures += 1 }
                    }
                    return failures
                }
            }
            return await group.reduce(0, +)
        }
        #expect(failures == 0)
    }

    @Test func `a device is written to as it is`() throws {
        try OwnFile.write([1], to: "/dev/null")
        #expect(throws: ConsoleError.diskFull) { try OwnFile.write([1], to: "/dev/full") }
    }

    @Test func `a folder is no input and a large file is refused`() throws {
        try Fixtures.inFolder { folder in
            #expect(throws: ConsoleError.unsafeFile(.notAFile)) { try OwnFile.read(folder) }
            try OwnFile.write([UInt8](repeating: 1, count: 5_000), to: "\(folder)/a")
            #expect(throws: ConsoleError.tooLarge(limit: 4_999)) {
                try OwnFile.read("\(folder)/a", limit: 4_999)
            }
            #expect(try OwnFile.read("\(folder)/a", limit: 5_000).count == 5_000)
        }
    }

    @Test(arguments: [
        ("secret\n", "secret"), ("secret", "secret"), ("secret\r\nmore\n", "secret"),
        ("two words \nx", "two words "),
    ])
    func `the first line is the passphrase`(content: String, passphrase: String) throws {
        try Fixtures.inFolder { folder in
            try Self.put(content, "\(folder)/p")
            #expect(text(try PassphraseFile.read("\(folder)/p")) == passphrase)
        }
    }

    @Test(arguments: [
        ("x\n", 0o640, UnsafeFile.readableByOthers), ("x\n", 0o604, .readableByOthers),
        ("x\n", 0o622, .readableByOthers),
        ("\n", 0o600, .empty), ("", 0o600, .empty), ("\r\n", 0o400, .empty),
    ])
    func `a passphrase file that others can read, or without a line, is refused`(
        content: String,
        mode: Int,
        reason: UnsafeFile
    ) throws {
        try Fixtures.inFolder { folder in
            try Self.put(content, "\(folder)/p", mode)
            #expect(throws: ConsoleError.unsafeFile(reason)) { _ = try PassphraseFile.read("\(folder)/p") }
        }
    }

    @Test func `a pipe, a folder and a long file are no passphrase files`() throws {
        try Fixtures.inFolder { folder in
            #expect(Fixtures.makeFifo("\(folder)/fifo"))
            for path in ["\(folder)/fifo", folder, "/dev/zero"] {
                #expect(throws: ConsoleError.unsafeFile(.notAFile)) { _ = try PassphraseFile.read(path) }
            }
            try Self.put(String(repeating: "x", count: 4_097), "\(folder)/p")
            #expect(throws: ConsoleError.tooLarge(limit: 4_096)) {
                _ = try PassphraseFile.read("\(folder)/p")
            }
        }
    }

    @Test(.enabled(if: geteuid() == 0)) func `someone else's passphrase file is refused`() throws {
        try Fixtures.inFolder { folder in
            try Self.put("x\n", "\(folder)/p")
            try FileManager.default.setAttributes([.ownerAccountID: 12_345], ofItemAtPath: "\(folder)/p")
            #expect(throws: ConsoleError.unsafeFile(.notMine)) { _ = try PassphraseFile.read("\(folder)/p") }
        }
    }

    @Test func `two passphrases come from one descriptor`() throws {
        try Fixtures.inFolder { folder in
            try Self.put("old one\nnew one", "\(folder)/p")
            let file = Fixtures.open("\(folder)/p")
            defer { close(file.number) }
            #expect(text(try PassphraseFile.read(descriptor: file)) == "old one")
            #expect(text(try PassphraseFile.read(descriptor: file)) == "new one")
            #expect(throws: ConsoleError.unsafeFile(.empty)) {
                _ = try PassphraseFile.read(descriptor: file)
            }
        }
    }

    @Test func `a picture for this session is mine alone and goes with its holder`() throws {
        try Fixtures.inFolder { folder in
            let environment = Environment(["XDG_RUNTIME_DIR": folder])
            var picture: RuntimeFile? = try RuntimeFile([1, 2], named: "code.png", in: environment)
            let path = try #require(picture).path
            #expect(try Fixtures.mode(path) == 0o600)
            #expect(try Fixtures.mode("\(folder)/hsip") == 0o700)
            picture = nil
            #expect(!FileManager.default.fileExists(atPath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder)/hsip")
            #expect(throws: ConsoleError.unsafeFile(.readableByOthers)) {
                try RuntimeFile([1], named: "code.png", in: environment)
            }
        }
        #expect(throws: ConsoleError.inputNeeded(flag: "-o FILE")) {
            try RuntimeFile([1], named: "code.png", in: Environment([:]))
        }
    }

    @Test func `a secret grows as it comes and keeps every byte`() throws {
        var buffer = try SecretBuffer(limit: 20_000)
        let all = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for byte in all { try buffer.append(byte) }
        #expect(throws: ConsoleError.tooLarge(limit: 20_000)) { try buffer.append(0) }
        #expect(bytes(try buffer.finish()) == all)
    }
}
