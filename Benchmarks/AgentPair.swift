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
    /// The process of OpenSSH's.
    let theirNumber: pid_t?
    /// A host whose key the vault knows: the agent asks before a login to any other.
    let host: PrivateKey

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
        host = try PrivateKey.ed25519(comment: [], entropy: .system)
        try Scratch.write(
            Array("host.example.com ".utf8) + host.publicKey.typeAndBase64 + [0x0A],
            to: folder + "/known_hosts"
        )
        try home.run(["--yes", "ssh", "host", "import", folder + "/known_hosts"])
        try home.startAgent()
        ours = home.path + "/run/hsip/ssh.sock"
        guard let sshAgent, let sshAdd else { (theirs, theirNumber) = (nil, nil); return }
        let path = folder + "/ssh.sock"
        _ = try Child.run(sshAgent, ["-a", path], output: folder + "/started")
        theirs = path
        let number = Scratch.number(after: "SSH_AGENT_PID=", in: try Scratch.read(folder + "/started"))
        theirNumber = number.map { pid_t($0) }
        _ = try Child.run(sshAdd, ["-q"] + files, environment: ["SSH_AUTH_SOCK=\(path)"])
    }

    /// Ends both.
    func end() {
        _ = try? home.run(["agent", "stop"])
        if let theirNumber { kill(theirNumber, SIGTERM) }
    }
}
