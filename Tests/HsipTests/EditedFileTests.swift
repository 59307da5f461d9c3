import Glibc
import System
import Testing
import VaultCrypto
import VaultLifecycle

@testable import Commands

/// The text that an editor changes, beside other commands that clean up.
@Suite(.enabled(if: Path.exists("/dev/shm")))
struct EditedFileTests {
    private let base: String
    private let environment: Environment

    init() throws {
        var name = Array("/dev/shm/hsip-tests-XXXXXX".utf8CString)
        try #require(unsafe mkdtemp(&name) != nil)
        base = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        environment = Environment(["XDG_RUNTIME_DIR": base])
    }

    private func text(_ file: EditedFile) throws -> [UInt8] { try file.text().withBytes { $0.copied() } }

    @Test(arguments: [true, false])
    func `a secret that two edit at once is not wiped by the other command`(isGone: Bool) throws {
        let secret = try SecretBytes(copying: Array("mine".utf8))
        var taken: [Int32] = []
        var folders: [String] = []
        let file = try EditedFile(secret, in: environment) { folder in
            folders.append(folder)
            guard folders.count == 1 else { return }
            // Another command cleans up in this moment: it has locked the folder, or has taken it away already.
            let other = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            _ = flock(other, LOCK_EX | LOCK_NB)
            if isGone { _ = unsafe rmdir(folder) }
            taken.append(other)
        }
        #expect(folders.count == 2)
        #expect(file.path.hasPrefix(folders[1]))
        for other in taken { close(other) }
        // The next one cleans up, and leaves what is in use.
        let second = try EditedFile(secret, in: environment)
        #expect(try text(file) == Array("mine".utf8))
        #expect(try text(second) == Array("mine".utf8))
        file.remove()
        second.remove()
        #expect(unsafe rmdir(base) == 0)
    }
}
