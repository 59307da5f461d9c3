internal import VaultCrypto

/// A log in a repository of its own, to which a person adds by hand with git.
final class HandLog {
    /// Bytes of a file: those of the newest entry.
    let size: Int
    private let git: String
    private let tree: String
    private let folder: String
    private let environment: [String]
    private var added = 0

    /// Copies the log of a repository; the copy stays on its host.
    init(git: String, of remote: String, on host: SSHHost? = nil, in folder: String) throws {
        try Scratch.makeFolder(folder)
        try host?.serves(folder)
        (self.git, tree) = (git, folder + "/hand")
        let person = ["NAME=hand", "EMAIL=hand@example.org"]
        let environment =
            ["HOME=\(folder)", "PATH=/usr/local/bin:/usr/bin:/bin"]
            + person.flatMap { ["GIT_AUTHOR_\($0)", "GIT_COMMITTER_\($0)"] }
        self.environment = environment
        let (copy, found) = (folder + "/hand.git", folder + "/found")
        func line(_ words: [String]) throws -> String {
            _ = try Child.run(git, words, environment: environment, output: found)
            let lines = try Scratch.read(found).split(separator: 0x0A)
            guard let last = lines.last else { throw BenchmarkError.missingRecord }
            return String(decoding: last, as: UTF8.self)
        }
        _ = try Child.run(git, ["clone", "--quiet", "--bare", remote, copy], environment: environment)
        let branch = try line(["--git-dir", copy, "for-each-ref", "--format=%(refname:short)"])
        _ = try Child.run(
            git,
            ["clone", "--quiet", "--branch", branch, (host?.address ?? "") + copy, tree],
            environment: environment
        )
        let newest = try line(["-C", tree, "ls-files"])
        self.folder = String(newest.prefix { $0 != "/" })
        size = try Scratch.size("\(tree)/\(newest)")
    }

    /// Adds a file and sends it; the seconds that git took.
    func sendFile() throws -> Double {
        added += 1
        let name = "\(folder)/new-\(added)"
        try Scratch.write(Entropy.system.bytes(size), to: "\(tree)/\(name)")
        return try run(["add", name]) + run(["commit", "--quiet", "--message", "."])
            + run(["push", "--quiet"])
    }

    func fetch() throws -> Double { try run(["fetch", "--quiet"]) }

    /// Copies a repository.
    func clone(_ remote: String, to path: String) throws -> Double {
        try run(["clone", "--quiet", "--bare", remote, path])
    }

    private func run(_ words: [String]) throws -> Double {
        try Child.run(git, ["-C", tree] + words, environment: environment).seconds
    }
}
