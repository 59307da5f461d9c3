internal import Glibc
internal import SSHFormats
internal import VaultCrypto

/// Our agent over a home of its own, and beside it one of OpenSSH with the same keys.
///
/// Both end with `end`.
struct AgentPair {
    /// The home of the vault.
    let home: SampleHome
    /// Where each of them listens; nil when OpenSSH's was not asked for.
    let ours: String
    let theirs: String?
    private let theirNumber: pid_t?

    /// Makes a vault of as many Ed25519 keys, and starts and opens the agents.
    init(keys count: Int, hsip: String, sshAgent: String?, sshAdd: String?, in folder: String) throws {
        try Scratch.makeFolder(folder)
        home = try SampleHome(folder + "/home", hsip: hsip)
        try Scratch.makeFolder(folder + "/files")
        let files = try (0..<count).map { number in
            let path = "\(folder)/files/machine-\(number)"
            let key = try PrivateKey.ed25519(comment: Array("machine-\(number)".utf8), entropy: .system)
            let file = try OpenSSHKeyFile(key, passphrase: nil, entropy: .system)
            try Scratch.write(try file.text().withBytes { $0.copied() }, to: path)
            return path
        }
        try home.run(["--yes", "ssh", "key", "import", folder + "/files"])
        try home.startAgent()
        ours = home.path + "/run/hsip/ssh.sock"
        guard let sshAgent, let sshAdd else { (theirs, theirNumber) = (nil, nil); return }
        let path = folder + "/ssh.sock"
        _ = try Child.run(sshAgent, ["-a", path], output: folder + "/started")
        theirs = path
        theirNumber = Self.number(after: "SSH_AGENT_PID=", in: try Scratch.read(folder + "/started"))
        _ = try Child.run(sshAdd, ["-q"] + files, environment: ["SSH_AUTH_SOCK=\(path)"])
    }

    /// Ends both.
    func end() {
        _ = try? home.run(["agent", "stop"])
        if let theirNumber { kill(theirNumber, SIGTERM) }
    }

    /// Our agent's resident memory in KiB.
    func memory() throws -> Int {
        try home.run(["agent", "status", "--json"], output: home.path + "/status")
        let number = Self.number(after: "\"pid\":", in: try Scratch.read(home.path + "/status"))
        guard let number else { throw BenchmarkError.usage }
        let status = try Scratch.read("/proc/\(number)/status")
        guard let size = Self.number(after: "VmRSS:", in: status) else { throw BenchmarkError.usage }
        return Int(size)
    }

    private static func number(after word: String, in text: [UInt8]) -> pid_t? {
        guard let start = String(decoding: text, as: UTF8.self).firstRange(of: word)?.upperBound else {
            return nil
        }
        let rest = String(decoding: text, as: UTF8.self)[start...]
        return pid_t(rest.drop { $0 == " " || $0 == "\t" }.prefix { $0.isNumber })
    }
}
