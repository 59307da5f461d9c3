internal import HSIP
internal import VaultCrypto
internal import VaultKit

/// Who keeps the log of a vault that several machines share.
enum LogPlace {
    /// A repository for each log, made with this git; a host serves it, or it is on this disk.
    case git(String, SSHHost? = nil)
    case etcd(EtcdServer)
}

/// A home whose vault several machines share, and an agent that has it open.
final class SharedHome {
    /// How many records and machines there are.
    let text: String
    /// The address of the repository, or that in etcd.
    let remote: String
    /// The records as `hsip vault import` reads them.
    let table: String
    private let home: SampleHome
    private let hsip: String
    /// How each machine logs in at the place.
    private let login: [String]
    private var added = 0
    private var joined = 0

    /// Makes the vault and its log; the other machines are keys that nobody uses.
    init(_ records: Int, _ machines: Int, hsip: String, at place: LogPlace, in folder: String) async throws {
        var name = "\(records)-\(machines)"
        if case .git(_, .some) = place { name += "-ssh" }
        (text, self.hsip) = ("\(records) records, \(machines) machines", hsip)
        home = try AgentProgramRows.home(of: records, hsip: hsip, in: "\(folder)/\(name)")
        table = home.path + "/table.csv"
        let kind: String
        switch place {
        case .git(let git, let host):
            let repository = home.path + "/vault.git"
            _ = try Child.run(git, ["init", "--quiet", "--bare", repository])
            try host?.serves(home.path)
            (kind, remote, login) = ("git", (host?.address ?? "") + repository, [])
        case .etcd(let server): (kind, remote, login) = ("etcd", server.address(name), server.login)
        }
        try Scratch.write(Array("a password".utf8), to: home.path + "/value")
        try home.run(["--no-agent", "setup", "sync", kind, remote, "--name", "machine 1"] + login)
        let vault = try home.open()
        for number in 2...machines {
            let (seed, box) = (Secret(try Entropy.system.secret(32)), Secret(try Entropy.system.secret(32)))
            let unsigned = try JoinCode.unsigned(
                issued: Vault.systemClock(),
                signKey: try Signing.publicKey(seed: seed),
                boxKey: try KeyAgreement.publicKey(of: box),
                name: "machine \(number)"
            )
            let join = try JoinCode(unsigned: unsigned, seed: seed)
            try await vault.admit(join.bytes, join.number().text)
            try home.run(["sync"])
        }
    }

    /// Ends the agent.
    func end() { _ = try? home.run(["agent", "stop"]) }

    /// Makes a secret and sends it; the seconds that sending took.
    func sendChange() throws -> Double {
        added += 1
        try home.run(["secret", "set", "new \(added)"], input: home.path + "/value")
        return try sync(sends: 1)
    }

    /// The seconds that `hsip sync` took.
    func sync(sends count: Int) throws -> Double {
        let file = home.path + "/synced"
        let seconds = try home.run(["sync", "--json"], output: file).seconds
        guard Scratch.number(after: "\"sent\":", in: try Scratch.read(file)) == count else {
            throw BenchmarkError.missingRecord
        }
        return seconds
    }

    /// A new machine with an empty vault joins; its name, and the seconds that its `hsip accept` took.
    func join() throws -> (name: String, seconds: Double) {
        joined += 1
        let name = "new \(joined)"
        let new = try SampleHome("\(home.path)/new-\(joined)", hsip: hsip)
        let join = try new.shown(["setup", "sync", "join", "--name", name])
        let admit = try home.shown(["--no-agent", "accept", join.code, "--expect", join.number])
        return (name, try new.run(["accept", admit.code, "--expect", admit.number] + login).seconds)
    }

    /// Removes a machine; the seconds that it took.
    func revoke(_ name: String) throws -> Double {
        try home.run(["--no-agent", "--yes", "machine", "revoke", name]).seconds
    }
}

/// A host that git reaches by ssh.
struct SSHHost {
    /// `ssh://user@host:port`; the path of a repository follows.
    let address: String
    /// The settings of `ssh` for it.
    let settings: String

    /// Lets git of a home use the settings.
    func serves(_ home: String) throws {
        try Scratch.write(
            Array("[core]\n  sshCommand = ssh -F \(settings)\n".utf8),
            to: home + "/.gitconfig"
        )
    }
}

extension SampleHome {
    /// The code for another machine that a command shows, and its digits.
    func shown(_ words: [String]) throws -> (code: String, number: String) {
        let file = path + "/shown"
        try run(words + ["--json"], output: file)
        let text = String(decoding: try Scratch.read(file), as: UTF8.self)
        func value(_ name: String) throws -> String {
            guard let start = text.firstRange(of: "\"\(name)\":")?.upperBound else {
                throw BenchmarkError.usage
            }
            return String(text[start...].drop { $0 != "\"" }.dropFirst().prefix { $0 != "\"" })
        }
        return (try value("code"), try value("number"))
    }
}
