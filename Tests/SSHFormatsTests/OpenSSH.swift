import Foundation
import Support

/// The OpenSSH of this machine, as the second implementation: a private folder, and its tools run in it.
final class OpenSSH: Sendable {
    struct Failure: Error {
        let status: Int32
        let message: String
    }

    private let scratch: StoreScratch

    init() throws {
        scratch = try StoreScratch()
    }

    func path(_ name: String) -> String { scratch.path + "/" + name }

    func write(_ bytes: [UInt8], to name: String) throws {
        let path = path(name)
        guard
            FileManager.default.createFile(
                atPath: path,
                contents: Data(bytes),
                attributes: [.posixPermissions: 0o600]
            )
        else { throw Failure(status: -1, message: path) }
    }

    func read(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path(name))))
    }

    /// Runs `ssh-keygen` in the folder; its standard output.
    @discardableResult
    func keygen(_ arguments: [String], input: [UInt8] = []) throws -> [UInt8] {
        try run("/usr/bin/ssh-keygen", arguments, input: input)
    }

    /// Makes a key pair `name` and `name.pub`.
    func makeKey(
        _ name: String,
        type: [String],
        passphrase: String = "",
        comment: String = "a comment",
        more: [String] = []
    ) throws {
        let key = ["-q", "-f", name, "-N", passphrase, "-C", comment, "-a", "1"]
        try keygen(key + ["-t"] + type + more)
    }

    func run(_ tool: String, _ arguments: [String], input: [UInt8] = []) throws -> [UInt8] {
        let end = try Spawned.run(
            tool,
            arguments,
            environment: [
                "PATH": "/usr/bin:/bin", "HOME": scratch.path, "LC_ALL": "C.UTF-8", "TZ": "UTC",
            ],
            folder: scratch.path,
            input: input
        )
        guard end.status == 0 else {
            throw Failure(status: end.status, message: String(decoding: end.errors, as: UTF8.self))
        }
        return end.output
    }
}
